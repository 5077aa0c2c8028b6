#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "reference/values/case.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// Operations on tensors that laws need, element by element and bit for bit, for every type.

// Returns the same bits as another type of the same width; neither is string.
Tensor reinterpreted(const Tensor& tensor, ElementType type);

// Returns a tensor whose axis k is axis order[k] of the given one.
Tensor permuted(const Tensor& tensor, const std::vector<std::size_t>& order);

// Returns the two tensors joined along an axis; their other dimensions are equal.
Tensor concatenated(const Tensor& first, const Tensor& second, std::size_t axis);

// Returns Kronecker's product of a tensor of ones, of shape `times`, with the tensor: one block for each of
// the ones.
Tensor kronecker_of_ones(const Shape& times, const Tensor& tensor);

// Returns the first element, in row-major order, that differs from the one `period` further along the axis.
std::optional<std::int64_t> first_break_of_period(const Tensor& tensor, std::size_t axis,
                                                  std::int64_t period);

// A case independent of its definition's form: every axis has a dimension of the data and a repeat.
struct Tiling {
  Shape shape;  // of the data, with the ones that promotion inserts in front
  Shape times;  // as many, 0 or more
};

// Reads the tiling from the literal, without the oracle.  Returns nothing for cases that no law covers: calls
// that a definition may refuse, and negative repeats.
std::optional<Tiling> tiling_of(const Case& question);

// Returns each dimension times its repeat; nothing if the output is too large for a law.
std::optional<Shape> tiled_shape(ElementType type, const Tiling& tiling);

}  // namespace certile::conformance
