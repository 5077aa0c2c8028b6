#pragma once
#include <sys/types.h>

namespace certile {

// Kills every process that descends from this one, and takes note of their ends.  Processes that fork while
// they are being killed are stopped first, so that none escapes; gives up after half a minute.
// A child that is to be `spared` is left alone, and what descends from it is not.
void end_descendants(pid_t spared = 0) noexcept;

// Kills once what descends from another process, as the kernel lists it.
void end_descendants_of(pid_t parent) noexcept;

// Makes this process the one to which the orphans among its descendants come.
void adopt_orphans() noexcept;

// Kills the orphans that came to this process, and whatever descends from them.  They are known by their
// session: a child of a host has one of its own, a host has ours.
void end_orphans() noexcept;

}  // namespace certile
