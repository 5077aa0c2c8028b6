#pragma once

namespace certile::conformance {

// A process that judges is closed to the other processes of its user, because a backend runs as that user,
// and could write a verdict into the memory of the judge.

// Closes this process's memory, unless a debugger is attached, which must be able to read it.  Forked
// processes inherit that.
void close_own_memory() noexcept;

// Opens the memory of a backend's process, so that a debugger can be attached, and drops the right to look
// into every process, which root has and a backend does not need.
void open_own_memory_alone() noexcept;

}  // namespace certile::conformance
