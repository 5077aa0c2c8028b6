#pragma once
#include <cstdint>
#include <functional>

#include "reference/values/result.hpp"

namespace certile::bench {

// Returns the instructions that `body` executes in its second call, counted one by one: a copy of this
// process executes them, and stops after each.  So they are those of this processor, whatever its instruction
// set, and no neighbour moves them.  A string instruction counts once, and a thread that `body` starts is not
// counted. An error where a process may not trace its child, as in some containers and in emulators.
Result<std::int64_t> count_instructions(const std::function<void()>& body);

}  // namespace certile::bench
