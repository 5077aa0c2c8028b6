#pragma once
#include <ostream>
#include <string>

namespace certile::conformance {

// Runs `certile verify FILE`: prints for each run the checks that hold and those that do not.  Returns 0 if
// all hold, 1 if any does not, and 2 if the file is not a complete file of records.
int verify_command(const std::string& path, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
