#pragma once
#include <optional>

#include "reference/values/case.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// What a case asks once the definition's way to say it is taken away: every axis has a dimension of the data
// and a repeat.
struct Tiling {
  Shape shape;  // of the data, with the ones that promotion put in front
  Shape times;  // as many, 0 or more
};

// Read off the literal, without the oracle.  Nothing where laws do not speak: calls that a definition may
// refuse, and repeats below zero.
std::optional<Tiling> tiling_of(const Case& question);

// Each dimension times its repeat; nothing where that is too much to be asked for a law.
std::optional<Shape> tiled_shape(ElementType type, const Tiling& tiling);

}  // namespace certile
