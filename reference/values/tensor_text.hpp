#pragma once
#include <string>

#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// The tensor as an operand spells it, with its elements: f32[4,6]{1,2,…}; a rank-1 shape beside elements is
// dropped.
std::string to_string(const Tensor& tensor);

// Element `index` as it is spelled there.
std::string element_to_string(const Tensor& tensor, std::int64_t index);

// The type and shape alone: f32[4,6].
std::string shape_to_string(ElementType type, const Shape& shape);

// A tensor from an operand that spells its elements out.  The spellings are canonical, as parse_case leaves
// them.
Tensor tensor_from_operand(const Operand& operand);

}  // namespace certile
