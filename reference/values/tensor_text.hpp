#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// Returns the tensor as an operand, with its elements: f32[4,6]{1,2,…}; a rank-1 shape is omitted next to
// elements.
std::string to_string(const Tensor& tensor);

// Returns element `index` as the operand spells it.
std::string element_to_string(const Tensor& tensor, std::int64_t index);

// Returns the type and shape alone: f32[4,6].
std::string shape_to_string(ElementType type, const Shape& shape);

// Makes a tensor whose elements are spelled as in a literal.  Each spelling must be that of an element of the
// type, and their number must be the element count of the shape.
Tensor tensor_spelled(ElementType type, Shape shape, std::span<const std::string> spellings);

// Makes a tensor of whole numbers, each of which the type must have.
Tensor tensor_of_numbers(ElementType type, Shape shape, std::span<const std::int64_t> numbers);

}  // namespace certile
