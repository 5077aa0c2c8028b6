#pragma once
#include <cstdint>
#include <vector>

#include "backends/shape/shape_rules.hpp"

// C++17, like shape_rules.hpp.
namespace certile::backends {

// One axis of an equivalent tiling with fewer axes.
struct FusedAxis {
  std::int64_t dimension;
  std::int64_t repeats;
};

// Returns the same tiling in as few axes as possible, and at least one.  Neighbours that one axis can replace
// are fused, so libraries need no support for axes of size one, unrepeated axes or rank 0.  An element counts
// as `units` things to move, a separate innermost axis that nothing repeats.  The output must not be empty.
std::vector<FusedAxis> fused_axes(const Axis* axes, std::size_t count, std::int64_t units);

}  // namespace certile::backends
