#pragma once
#include <functional>

namespace certile::conformance {

// Stacks have 8 MiB unless they are made small, whatever a shell's `ulimit -s` says: with less, certile would
// end during a call; with much more, a handful of threads would fill the memory that a backend may write to.

// Sets the stack size of all threads that are started from now on.
void set_stack_of_threads() noexcept;

// Restricts the stacks of this thread and of those that are started from now on to 1 MiB, which is what the
// main thread of a program has on some systems.
void make_stacks_small() noexcept;

// Returns the result of `function`: called here, or in a thread if this thread's stack may not grow so far.
int call_with_stack(const std::function<int()>& function);

// Overwrites the stack below the caller's frame, where the frames of functions that have returned were.
void overwrite_free_stack() noexcept;

}  // namespace certile::conformance
