#pragma once

namespace certile {

// A process that judges is closed to the other processes of its user: what is judged runs as that user, and
// could write a verdict into the memory of the process that judges it.

// Closes this process's memory, unless a debugger has it already, which has to go on reading it.  The
// processes that it forks inherit that.
void close_own_memory() noexcept;

// Opens it again, in the process of a backend, so that a debugger can be attached there; and gives up the
// right to look into every process, which root has and a backend has no use for.
void open_own_memory_alone() noexcept;

}  // namespace certile
