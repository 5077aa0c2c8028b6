#pragma once
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::second {

// Constructs the output by repeating blocks, from the innermost axis outwards: the second oracle.  It shares
// only the tensor type with the first and has its own rules for promotion, products and refusals.
// Errors: `rejected` without a clause; `out_of_memory` if the output does not fit in memory.
Result<Tensor> tile_by_copies(const Case& question, const Tensor& data);

// A shape by the second oracle.
struct SecondShape {
  Shape shape;
  bool is_open = false;  // the text leaves the call open
};

// Returns the output's shape by the second reading, or the error `rejected`.  Makes no output, so the shape
// may be too large to exist.
Result<SecondShape> shape_by_copies(const Case& question);

}  // namespace certile::second
