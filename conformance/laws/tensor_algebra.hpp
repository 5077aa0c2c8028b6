#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "reference/values/tensor.hpp"

namespace certile {

// What laws say about tensors, element by element and bit for bit, for every type.

// The same elements in the same order, as another shape of as many.
Tensor reshaped(const Tensor& tensor, const Shape& shape);

// The same bits as another type of the same width; neither is string.
Tensor reinterpreted(const Tensor& tensor, ElementType type);

// Axis k of the result is axis order[k] of the tensor.
Tensor permuted(const Tensor& tensor, const std::vector<std::size_t>& order);

// One behind the other along an axis; the other dimensions are the same in both.
Tensor concatenated(const Tensor& first, const Tensor& second, std::size_t axis);

// Kronecker's product of a tensor of ones, of shape `times`, with the tensor: one block for each of the ones.
Tensor kronecker_of_ones(const Shape& times, const Tensor& tensor);

// The first element, in row-major order, that differs from the one `period` further along the axis.
std::optional<std::int64_t> first_break_of_period(const Tensor& tensor, std::size_t axis,
                                                  std::int64_t period);

}  // namespace certile
