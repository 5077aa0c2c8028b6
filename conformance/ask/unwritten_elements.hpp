#pragma once
#include <vector>

#include "conformance/ask/wire/request.hpp"

namespace certile::conformance {

// Returns which elements of each output no run wrote: those with a byte, or of packed types a bit, that holds
// what the rig put there in both runs.  `shape` is that of the outputs.  Empty for an output without such
// elements.
std::vector<std::vector<bool>> unwritten_elements(ElementType type, const Shape& shape, const Reply& reply);

}  // namespace certile::conformance
