#pragma once
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::oracle {

// Computes the output by definition: each index of the output determines the index of the data to copy.
// `data` has the type and shape of the case's data; data_of() makes it.  Errors: `rejected` with the clause;
// `out_of_memory` if the output does not fit in memory.
Result<Tensor> tile(const Case& question, const Tensor& data);

}  // namespace certile::oracle
