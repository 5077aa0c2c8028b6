#include "backends/registry.hpp"
#include "conformance/isolation/host.hpp"

namespace certile {

int host_main(int argument_count, char** arguments) {
  return run_host(argument_count, arguments, open_backend);
}

}  // namespace certile
