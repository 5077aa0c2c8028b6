#pragma once
#include <vector>

#include "conformance/ask/wire/request.hpp"

namespace certile::conformance {

// Returns which elements of each output were not written: those with a byte, or of packed types a bit, that
// holds what the rig put there in both runs; if there are none, those of whole bytes that the first run alone
// left.  `shape` is that of the outputs.  Empty for an output without such elements.
std::vector<std::vector<bool>> unwritten_elements(ElementType type, const Shape& shape, const Reply& reply);

}  // namespace certile::conformance
