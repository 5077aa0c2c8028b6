#pragma once
#include <iosfwd>
#include <string>
#include <vector>

namespace certile::bench {

// Runs `certile-bench count`: prints a line `BACKEND INSTRUCTIONS LITERAL` for each BACKEND and each case,
// where INSTRUCTIONS are those of one call of the table's `run`.  BACKEND may also be `rules`, a built-in
// backend that applies the rules and moves nothing, or `memset` of as many bytes.  Without backends or
// literals, the usual ones are counted.  Returns 0, or 2 after a sentence.
int count_command(std::vector<std::string> backends, std::vector<std::string> literals, std::ostream& out,
                  std::ostream& error);

}  // namespace certile::bench
