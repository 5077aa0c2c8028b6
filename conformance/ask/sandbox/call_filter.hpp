#pragma once
#include "reference/values/result.hpp"

namespace certile::conformance {

// Makes the system calls of `Layer::calls` fail with EPERM, in this process and all that it starts.  Needs
// PR_SET_NO_NEW_PRIVS.  Error io.
Result<Done> filter_calls();

}  // namespace certile::conformance
