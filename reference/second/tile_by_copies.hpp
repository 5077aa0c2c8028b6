#pragma once
#include "reference/values/call.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// The second oracle, by construction: repeat blocks, innermost axis outwards.  It shares nothing with the
// first but the tensor type: it promotes, multiplies and refuses by its own reading.  A refusal is `rejected`
// without a clause.
Result<Tensor> tile_by_copies(const CallTensors& tensors);

// A shape, and whether the text leaves the call open.
struct SecondShape {
  Shape shape;
  bool is_open = false;
};

// Returns the shape of that answer, or the refusal, by the same reading.  No output is made, so the shape may
// be of a tensor far too large to exist.
Result<SecondShape> shape_by_copies(const CallTensors& tensors);

}  // namespace certile
