#pragma once
#include <ostream>
#include <string>

namespace certile {

// `certile verify FILE`: says of each run what holds and what does not.  Returns 0 where all holds, 1 where
// something does not, and 2 where the file is no whole file of records.
int verify_command(const std::string& path, std::ostream& out, std::ostream& error);

}  // namespace certile
