#pragma once
#include <cstdint>
#include <vector>

#include "backends/shape/tile_plan.hpp"

// What the tests of plans and of kernels share.
namespace certile::backends {

struct TiledAxis {
  std::uint64_t dimension;
  std::uint64_t repeats;
};

// Returns the plan of these axes, the outermost first, of elements of `element_bits` bits.
inline TilePlan plan_of(const std::vector<TiledAxis>& axes, std::uint64_t element_bits) {
  TilePlan plan;
  Fusing fusing(plan, element_bits);
  std::uint64_t bits = element_bits;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    fusing.add(axis->dimension, axis->repeats);
    bits *= axis->dimension * axis->repeats;
  }
  fusing.finish(bits);
  return plan;
}

}  // namespace certile::backends
