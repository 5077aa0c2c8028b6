#pragma once
#include <span>
#include <string>

#include "conformance/explain/picture.hpp"

namespace certile::conformance {

// Recognizes an output that is as a whole that of another call: two axes have exchanged their repeats, or
// their sizes in the data, or the repeats are in the opposite order.  Returns "those of a call …"; empty if
// the output is none of these.
std::string of_exchanged_axes(const WrongElements& found);

// Finds out what the wrong elements are instead: "unwritten", "each another element of the data".
// The words are true of every wrong element, and not of every right one too.  Several rules can hold for a
// small output by chance, so a rule must also hold for three quarters of the outputs `also`, of other
// failures with the same clause and fault.  Empty if nothing simple is true.
std::string what_instead(const WrongElements& found, std::span<const WrongElements> also = {});

}  // namespace certile::conformance
