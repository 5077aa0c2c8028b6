#pragma once
#include <cstdint>
#include <ostream>
#include <string>

namespace certile::bench {

// Runs `certile-bench count BACKEND LITERAL CALLS`, for Callgrind: makes that many calls of `run`, straight
// through the backend interface, inside the function certile_counted_calls.  BACKEND may also be `kernel`,
// the best byte kernel with axes that are known already, or `memset` of as many bytes. Returns 0, or 2 after
// printing a sentence.
int count_command(const std::string& spelling, const std::string& literal, std::int64_t calls,
                  std::ostream& out, std::ostream& error);

}  // namespace certile::bench
