#pragma once
#include <ostream>

#include "property_tests/search.hpp"
#include "reference/values/result.hpp"

namespace certile::property_tests {

// Prints random cases of everything that the definitions allow, one literal per line, as many as the options
// say.  With `answers`, a tab and the oracles' answer follow: type and shape with the SHA-256 of the output's
// bytes, or "reject" or "unspecified" with the clause.  In these bytes a packed output's unused bits are 0,
// and a string is its size, as eight bytes, and its characters.  Errors: as expect().
Result<Done> print_cases(std::ostream& out, const SearchOptions& options, bool answers);

}  // namespace certile::property_tests
