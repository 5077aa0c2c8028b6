#pragma once
#include <sys/types.h>

#include <vector>

namespace certile::conformance {

// Ends this process as another one ended, whose status is in waitpid's format.  The first process of a
// namespace cannot end by a signal, and ends with the exit code that a shell gives then.
[[noreturn]] void end_like(int wait_status) noexcept;

// Kills every process that descends from this one, and reaps it.  Processes that fork while being killed are
// stopped first, so that none escapes; returns after half a minute at most.  The child `spared` is left
// alone, but its descendants are not.
void end_descendants(pid_t spared = 0) noexcept;

// Returns the descendants of a process, as the kernel lists them; none if they cannot be listed.
std::vector<pid_t> descendants_of(pid_t parent) noexcept;

// Kills the descendants of another process once, as the kernel lists them.
void end_descendants_of(pid_t parent) noexcept;

// Makes this process adopt the orphans among its descendants.
void adopt_orphans() noexcept;

// Kills the orphans that this process adopted, and their descendants.  Sessions distinguish them: a child of
// a host has a separate session, a host has this one's.
void end_orphans() noexcept;

}  // namespace certile::conformance
