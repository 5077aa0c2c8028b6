#include "backends/shape/levels.hpp"

namespace certile {

std::vector<Level> fused_levels(const Axis* axes, std::size_t count, std::int64_t units) {
  std::vector<Level> levels{{1, 1}};
  const auto append = [&levels](Level inner) {
    Level& outer = levels.back();
    if (inner.repeats == 1) {
      outer.dimension *=
          inner.dimension;  // the rows of `inner` follow one another unrepeated: one longer row
    } else if (outer.dimension == 1) {
      outer = {inner.dimension, outer.repeats * inner.repeats};  // what is repeated is a repeated row
    } else {
      levels.push_back(inner);
    }
  };
  for (std::size_t index = 0; index < count; ++index)
    append({axes[index].dimension, axes[index].repeats});
  append({units, 1});
  return levels;
}

}  // namespace certile
