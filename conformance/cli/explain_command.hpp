#pragma once
#include <ostream>
#include <string>
#include <vector>

namespace certile::conformance {

// Runs `certile explain WORD`: says what a clause requires, or what a word of a report means; without words,
// lists all that have an explanation.  Returns the exit code: 0, or 2 for a word without one.
int explain_command(const std::vector<std::string>& words, std::size_t width, std::ostream& out,
                    std::ostream& error);

}  // namespace certile::conformance
