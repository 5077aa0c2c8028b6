#pragma once
#include <cstdint>

#include "reference/call.hpp"
#include "reference/result.hpp"
#include "reference/tensor.hpp"

namespace certile {

// The oracle, by definition: for each index of the output, which index of the data?
// Refusals are `rejected` with the clause; an output that memory cannot hold is `out_of_memory`.
Result<Tensor> tile(const CallTensors& tensors);

// How often this process has asked either oracle.  A backend that computes for itself leaves it at 0
// (CT-SELF).
std::uint64_t oracle_calls() noexcept;
void count_oracle_call() noexcept;

}  // namespace certile
