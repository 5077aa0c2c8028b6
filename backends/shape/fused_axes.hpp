#pragma once
#include <cstdint>
#include <vector>

#include "backends/shape/shape_rules.hpp"

// C++17, like shape_rules.hpp.
namespace certile {

// One axis of an equivalent tiling with fewer axes.
struct FusedAxis {
  std::int64_t dimension;
  std::int64_t repeats;
};

// The same tiling in as few axes as possible, and at least one: neighbours that one axis can stand for are
// fused, so that axes of size one, unrepeated axes and rank 0 need no library support.  An element counts as
// `units` things to move, an innermost axis of its own that nothing repeats.  The output must not be empty.
std::vector<FusedAxis> fused_axes(const Axis* axes, std::size_t count, std::int64_t units);

}  // namespace certile
