#pragma once
#include <optional>

#include "reference/values/case.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

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
