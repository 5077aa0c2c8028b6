#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace certile::conformance {

// Returns "; did you mean scalar?" for a word that is at most two changes of a letter away from one of the
// names, the closest of them; else nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& names);

}  // namespace certile::conformance
