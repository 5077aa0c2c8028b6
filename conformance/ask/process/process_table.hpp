#pragma once
#include <string>

namespace certile::conformance {

// Returns the number of this machine's processes with that word in their command line; processes that have
// ended but are not reaped have no command line.
int processes_with(const std::string& word);

}  // namespace certile::conformance
