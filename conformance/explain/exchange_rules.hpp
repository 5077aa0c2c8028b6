#pragma once
#include <string>

#include "conformance/explain/wrong_elements.hpp"

namespace certile::conformance {

// Recognizes an output that is as a whole that of another call: two axes have exchanged their repeats, or
// their sizes in the data, or the repeats are in the opposite order.  Returns "those of a call …"; empty if
// the output is none of these.
std::string of_exchanged_axes(const WrongElements& found);

}  // namespace certile::conformance
