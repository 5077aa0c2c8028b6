#pragma once
#include <string>

#include "conformance/explain/wrong_elements.hpp"

namespace certile::conformance {

// Recognizes elements that went through floating-point arithmetic instead of being moved: zeros that lost
// their sign, NaNs that became quiet, subnormal numbers that became zero.  Elements of another type, such as
// i32, are read as floating-point numbers of their width.  Returns "the expected ones, but …"; empty if a
// wrong element is anything else.
std::string changed_by_arithmetic(const WrongElements& found);

}  // namespace certile::conformance
