#pragma once
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "reference/values/result.hpp"

namespace certile::bench {

// Returns the instructions that `body` executes in its second call, counted one by one: a copy of this
// process executes them, and stops after each.  So they are those of this processor, whatever its instruction
// set, and no neighbour moves them.  A string instruction counts once, and a thread that `body` starts is not
// counted. An error where a process may not trace its child, as in some containers and in emulators.
Result<std::int64_t> count_instructions(const std::function<void()>& body);

// Runs `certile-bench count`: prints a line `BACKEND INSTRUCTIONS LITERAL` for each BACKEND and each case,
// where INSTRUCTIONS are those of one call of the table's `run`.  BACKEND may also be `rules`, a built-in
// backend that applies the rules and moves nothing, or `memset` of as many bytes.  Without backends or
// literals, the usual ones are counted.  Returns 0, or 2 after a sentence.
int count_command(std::vector<std::string> backends, std::vector<std::string> literals, std::ostream& out,
                  std::ostream& error);

}  // namespace certile::bench
