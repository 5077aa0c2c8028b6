#pragma once
#include <cstddef>

#include "reference/second/reading.hpp"

namespace certile::second {

// Reads a call of Tile-6 or Tile-13, which differ only in their lists of types.
inline Reading read_onnx_vector(const Case& question, bool is_listed) {
  if (!is_listed || question.repeats.type() != ElementType::i64 || question.repeats.shape().size() != 1)
    return refused();
  const Shape& shape = question.data.shape();
  if (question.repeats.count() != static_cast<std::int64_t>(shape.size())) return refused();
  std::vector<Axis> axes;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    axes.push_back({shape[axis], integer(question.repeats, static_cast<std::int64_t>(axis))});
    if (axes.back().repeat < 0) return refused();
  }
  const bool is_text = question.data.type() != ElementType::string || is_utf8(question.data);
  return is_text ? answered(std::move(axes)) : left_open(std::move(axes));
}

}  // namespace certile::second
