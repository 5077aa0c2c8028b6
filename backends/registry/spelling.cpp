#include <optional>
#include <string>
#include <string_view>

#include "backends/registry/registry.hpp"

// Apart from registry.cpp, because certile-host takes these functions and no backend. [CT-SELF]

namespace certile::backends {

bool is_library(std::string_view spelling) noexcept {
  return !worker_command(spelling) && spelling.find('/') != std::string_view::npos;
}

std::optional<std::string> worker_command(std::string_view spelling) {
  constexpr std::string_view prefix = "worker:";
  if (!spelling.starts_with(prefix)) return std::nullopt;
  return std::string(spelling.substr(prefix.size()));
}

}  // namespace certile::backends
