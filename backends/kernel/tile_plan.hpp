#pragma once
#include <cstdint>
#include <span>

#include "backends/shape/shape_rules.hpp"

namespace certile::kernel {

// A tiling reduced to runs of units (bytes, or bits for packed types), without element types and ranks.  From
// the outermost level on, it writes `repeats` times the `extent` blocks of a level; a block of the innermost
// level is `run` consecutive units of the data.  No level could be left out or joined with its neighbour, so
// fewer than 64 of them describe every possible output; the innermost level has an extent of 1, and every
// level but the outermost repeats at least twice.
struct TilePlan {
  struct Level {
    std::uint64_t repeats, extent;
  };
  static constexpr int capacity = 64;

  std::uint64_t run = 0;  // units of the innermost block
  int count = 0;          // of levels; none: the output is one run
  Level levels[capacity];
};

// Returns the plan of an output that has elements, each `units` units wide.  Allocates nothing.
TilePlan plan_tile(std::span<const backends::Axis> axes, std::uint64_t units) noexcept;

}  // namespace certile::kernel
