#pragma once
#include <string>

#include "conformance/explain/wrong_elements.hpp"

namespace certile::conformance {

// Finds out what the wrong elements are instead: "unwritten", "each another element of the data".
// The words are true of every wrong element, and not of every right one too.  Empty if nothing simple is.
std::string what_instead(const WrongElements& found);

}  // namespace certile::conformance
