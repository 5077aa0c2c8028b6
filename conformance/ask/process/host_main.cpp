#include <string_view>

#include "backends/registry/registry.hpp"
#include "conformance/ask/process/host.hpp"

namespace certile::conformance {

std::optional<int> run_as_own_process(int argument_count, char** arguments) {
  if (argument_count < 2 || std::string_view(arguments[1]) != "host") return std::nullopt;
  return run_host(argument_count, arguments, backends::open_backend);
}

}  // namespace certile::conformance
