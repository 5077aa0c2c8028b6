#include "backends/registry/registry.hpp"
#include "conformance/ask/process/host.hpp"

namespace certile {

int host_main(int argument_count, char** arguments) {
  return run_host(argument_count, arguments, open_backend);
}

}  // namespace certile
