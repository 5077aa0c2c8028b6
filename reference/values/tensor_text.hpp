#pragma once
#include <cstdint>
#include <span>
#include <string>

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

// Makes a tensor whose elements are spelled as in a literal.  Each spelling must mean an element of the type,
// and there must be as many as the shape has.
Tensor tensor_spelled(ElementType type, Shape shape, std::span<const std::string> spellings);

// Makes a tensor of whole numbers.  The type must have each of them.
Tensor tensor_of_numbers(ElementType type, Shape shape, std::span<const std::int64_t> numbers);

}  // namespace certile
