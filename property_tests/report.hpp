#pragma once
#include <ostream>
#include <string>

#include "property_tests/search.hpp"

namespace certile {

// One line for a property that held; for one that did not, the counterexample, what is wrong with it, and the
// commands that show it again.  `spelling` is BACKEND as the user wrote it.
void report(std::ostream& out, const std::string& backend, const std::string& spelling,
            const Property& property, const SearchResult& result);

// The literal that goes into a corpus: of the call that is answered wrongly, where a line can hold it.
std::string literal_to_keep(const Counterexample& found);

}  // namespace certile
