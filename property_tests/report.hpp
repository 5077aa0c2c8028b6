#pragma once
#include <ostream>
#include <string>

#include "property_tests/search.hpp"

namespace certile::property_tests {

// Prints one line for a property that held; for a broken one the counterexample, what is wrong with it, and
// the commands that show it again.  `spelling` is BACKEND as the user wrote it.
void report(std::ostream& out, const std::string& backend, const std::string& spelling,
            const Property& property, const SearchResult& result);

// Returns the literal for a corpus: the call with the wrong answer, if one line can hold it.
std::string literal_to_keep(const Counterexample& found);

}  // namespace certile::property_tests
