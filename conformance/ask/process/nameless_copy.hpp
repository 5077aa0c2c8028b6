#pragma once
#include <string>

namespace certile::conformance {

// Returns a descriptor of a copy of the file that is in memory, so that a program that is executed from it
// does not see the file's name; below 0 if the system refuses.  Each file is copied once, at its first use.
int nameless_copy(const std::string& path);

// Returns true for the identity of such a copy, in the words of /proc/PID/maps: "00:01 1234".
bool is_nameless_copy(const std::string& identity);

}  // namespace certile::conformance
