#pragma once
#include <cstdint>
#include <ostream>
#include <string>

namespace certile {

// `certile-bench count BACKEND LITERAL CALLS`, for Callgrind: that many calls of `run`, straight through the
// backend interface, inside the function certile_counted_calls; BACKEND `memset` writes as many bytes.
// 0, or 2 with a sentence.
int count_command(const std::string& spelling, const std::string& literal, std::int64_t calls,
                  std::ostream& out, std::ostream& error);

}  // namespace certile
