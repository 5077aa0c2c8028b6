#pragma once
#include <cstdint>
#include <ostream>
#include <string>

namespace certile {

// `certile-bench count BACKEND LITERAL CALLS`, for Callgrind: that many calls of `run`, straight through the
// backend interface, inside the function certile_counted_calls.  Two more words stand in the place of
// BACKEND: `kernel`, the best byte kernel called with axes that are ruled on already, and `memset` of as many
// bytes. 0, or 2 with a sentence.
int count_command(const std::string& spelling, const std::string& literal, std::int64_t calls,
                  std::ostream& out, std::ostream& error);

}  // namespace certile
