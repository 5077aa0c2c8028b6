#include <span>
#include <string_view>

#include "backends/registry/registry.hpp"
#include "conformance/ask/process/host.hpp"
#include "conformance/ask/process/keeper.hpp"

namespace certile::conformance {

std::optional<int> run_as_own_process(int argument_count, char** arguments) {
  if (argument_count < 2) return std::nullopt;
  if (std::string_view(arguments[1]) == "host")
    return run_host(argument_count, arguments, backends::open_backend);
  if (const auto options =
          parse_keep_arguments(std::span(arguments, static_cast<std::size_t>(argument_count)).subspan(1)))
    return run_keep(*options);
  return std::nullopt;
}

}  // namespace certile::conformance
