#pragma once
#include <string>

namespace certile {

// How many processes of this machine have that word in their command line; those that have ended but were not
// taken note of have none.
int processes_with(const std::string& word);

}  // namespace certile
