#pragma once
#include <functional>

namespace certile {

// Stacks of 8 MiB, whatever a shell's `ulimit -s` says: with less, certile would end in the middle of a call;
// with much more, a handful of threads would fill the memory that a backend may write to.

// Makes them the size for all threads that are started from now on.
void set_stack_of_threads() noexcept;

// Returns what `function` returns: called here, or, where this thread's stack may not grow so far, in a
// thread.
int call_with_stack(const std::function<int()>& function);

}  // namespace certile
