#include "conformance/text/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace certile::conformance {

void hold_standard_streams() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // Gets this number, the lowest free one, because all below it are open.  The unused direction makes
    // printing still fail.
    const int wrong_direction = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", wrong_direction) < 0) return;
  }
}

}  // namespace certile::conformance
