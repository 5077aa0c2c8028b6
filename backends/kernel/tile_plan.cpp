#include "backends/kernel/tile_plan.hpp"

namespace certile::kernel {

TilePlan plan_tile(std::span<const backends::Axis> axes, std::uint64_t units) noexcept {
  TilePlan plan;
  for (const backends::Axis& axis : axes) {
    const auto repeats = static_cast<std::uint64_t>(axis.repeats);
    const auto extent = static_cast<std::uint64_t>(axis.dimension);
    if (repeats == 1 && extent == 1) continue;
    TilePlan::Level* const outer = plan.count > 0 ? &plan.levels[plan.count - 1] : nullptr;
    if (outer != nullptr && repeats == 1) {
      outer->extent *=
          extent;  // the blocks of this axis are consecutive and unrepeated: they join the outer's
    } else if (outer != nullptr && outer->extent == 1) {
      *outer = {outer->repeats * repeats, extent};  // a repetition, repeated again
    } else {
      plan.levels[plan.count++] = {repeats, extent};
    }
  }
  plan.run = units;
  if (plan.count > 0) {
    // The innermost blocks are consecutive in the data and in the output: they are one longer run.
    TilePlan::Level& innermost = plan.levels[plan.count - 1];
    plan.run *= innermost.extent;
    innermost.extent = 1;
    if (innermost.repeats == 1) --plan.count;
  }
  return plan;
}

}  // namespace certile::kernel
