#include "backends/plugin/plugin.hpp"
#include "backends/registry/registry.hpp"
#include "conformance/ask/process/host.hpp"
#include "conformance/ask/rig/stacks.hpp"

// certile-host, the host process of shared libraries.  [CT-SELF] Of certile it holds the rig and the C header
// alone, no oracle and no backend: there is nothing in its process that a library could pass its calls on to.

namespace certile::conformance {
namespace {

Result<backends::Plugin> open_library(std::string_view spelling) {
  if (backends::is_library(spelling)) return backends::Plugin::load(spelling);
  return Error{Error::Code::unsupported, "certile-host loads shared libraries, and nothing else"};
}

}  // namespace
}  // namespace certile::conformance

int main(int argument_count, char** arguments) {
  return certile::conformance::call_with_stack([&] {
    return certile::conformance::run_host(argument_count, arguments, certile::conformance::open_library);
  });
}
