#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace certile::conformance {

// Returns the name that is closest to a word, and at most two changes of a letter away; nothing if none is.
std::string closest(std::string_view word, const std::vector<std::string>& names);

// Returns "; did you mean scalar?" for a word that has such a name; else nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& names);

}  // namespace certile::conformance
