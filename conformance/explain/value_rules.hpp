#pragma once
#include <span>
#include <string>

#include "conformance/explain/wrong_elements.hpp"

namespace certile::conformance {

// Finds out what the wrong elements are instead: "unwritten", "each another element of the data".
// The words are true of every wrong element, and not of every right one too.  Several rules can hold for a
// small output by chance, so a rule must also hold for three quarters of the outputs `also`, of other
// failures with the same clause and fault.  Empty if nothing simple is true.
std::string what_instead(const WrongElements& found, std::span<const WrongElements> also = {});

}  // namespace certile::conformance
