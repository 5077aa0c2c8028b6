#pragma once
#include <string>
#include <vector>

#include "conformance/explain/wrong_elements.hpp"

namespace certile::conformance {

// Finds out where the wrong elements are: in which copies, rows, columns or bytes.  Each sentence is about a
// part of the output that has all wrong elements and is not the whole output; the smallest part comes first.
// At most two sentences, of different kinds, of which none follows from the other.  A few wrong elements are
// named as well.  Empty if the wrong elements are everywhere.
std::vector<std::string> where_wrong(const WrongElements& found);

}  // namespace certile::conformance
