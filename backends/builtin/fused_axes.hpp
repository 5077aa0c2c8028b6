#pragma once
#include <cstdint>
#include <vector>

#include "backends/shape/tile_plan.hpp"

// C++17, like builtin.hpp.
namespace certile::backends {

// One axis of a tiling for a library that tiles axes.
struct FusedAxis {
  std::int64_t dimension;
  std::int64_t repeats;
};

// Returns a plan as axes of numbers of `number_bits` bits, in as few axes as possible, and at least one: no
// rank 0, no axis of size one, and none that could be fused with its neighbour.
inline std::vector<FusedAxis> fused_axes(const TilePlan& plan, std::uint64_t number_bits) {
  std::vector<FusedAxis> axes;
  for (int level = 0; level < plan.count(); ++level)
    axes.push_back({static_cast<std::int64_t>(plan.levels()[level].extent),
                    static_cast<std::int64_t>(plan.levels()[level].repeats)});
  if (axes.empty()) axes.push_back({1, 1});
  axes.back().dimension = static_cast<std::int64_t>(plan.run_bits / number_bits);  // its extent is 1
  return axes;
}

}  // namespace certile::backends
