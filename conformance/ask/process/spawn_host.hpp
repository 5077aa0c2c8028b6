#pragma once
#include <sys/types.h>

#include <array>
#include <string>

namespace certile::conformance {

// Starts the host with only these three descriptors, its socket in the middle, and with `output` for what it
// prints and `copy` as the file that it is executed from unless they are negative.  What the caller of this
// process ignores, as a shell does for its background jobs, the host does not ignore.  Returns 0, or the
// error number.
int spawn_host(pid_t& host, const std::string& program, char* const* words, char* const* environment,
               const std::array<int, 3>& given, int output, int copy);

// Reaps a child that has ended, also if that was done before; returns false also if the wait was interrupted.
bool has_ended(pid_t process) noexcept;
// Waits for the end of a host whose socket is closed, which is forced after two seconds, and ends all
// processes below it.
void end_host(pid_t host) noexcept;

}  // namespace certile::conformance
