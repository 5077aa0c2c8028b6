#pragma once
#include "reference/values/call.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// The oracle, by definition: for each index of the output, which index of the data?
// Refusals are `rejected` with the clause; an output that memory cannot hold is `out_of_memory`.
Result<Tensor> tile(const CallTensors& tensors);

}  // namespace certile
