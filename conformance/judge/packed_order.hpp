#pragma once
#include "reference/values/case.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// Returns true if `seen`, an output with elements of 1, 2 or 4 bits, is right when data and output are both
// read with the elements of every byte in the opposite order: a difference of layout, not of values.
bool is_right_in_the_opposite_order(const Case& question, const Tensor& seen);

}  // namespace certile::conformance
