#pragma once
#include <sys/types.h>

#include <array>
#include <string>

namespace certile::conformance {

// Starts the host with only these three descriptors, and with `output` for what it prints and `copy` as the
// file that it is executed from unless they are negative.  What the caller of this process ignores, as a
// shell does for its background jobs, the host does not ignore.  Returns 0, or the error number.
int spawn_host(pid_t& host, const std::string& program, char* const* words, char* const* environment,
               const std::array<int, 3>& given, int output, int copy);

}  // namespace certile::conformance
