#include "backends/shape/fused_axes.hpp"

namespace certile::backends {

std::vector<FusedAxis> fused_axes(const Axis* axes, std::size_t count, std::int64_t units) {
  std::vector<FusedAxis> fused{{1, 1}};
  const auto append = [&fused](FusedAxis inner) {
    FusedAxis& outer = fused.back();
    if (inner.repeats == 1) {
      outer.dimension *=
          inner.dimension;  // the rows of `inner` are consecutive and unrepeated: one longer row
    } else if (outer.dimension == 1) {
      outer = {inner.dimension, outer.repeats * inner.repeats};  // a repeated row, repeated again
    } else {
      fused.push_back(inner);
    }
  };
  for (std::size_t index = 0; index < count; ++index)
    append({axes[index].dimension, axes[index].repeats});
  append({units, 1});
  return fused;
}

}  // namespace certile::backends
