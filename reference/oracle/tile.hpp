#pragma once
#include "reference/values/call.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// Computes the output by definition: each index of the output determines the index of the data to copy.
// Errors: `rejected` with the clause; `out_of_memory` if the output does not fit in memory.
Result<Tensor> tile(const CallTensors& tensors);

}  // namespace certile
