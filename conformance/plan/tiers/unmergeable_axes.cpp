#include <vector>

#include "conformance/plan/tiers/spread_generators.hpp"

namespace certile::conformance {
namespace {

// Adds `axes` axes of two elements of which every second is repeated, so that no two can be merged, between
// axes of one element up to `rank`.
void add_alternating(Spread& spread, int axes, int rank, bool is_first_repeated, std::uint64_t number) {
  Draft draft;
  for (int axis = 0; axis < axes; ++axis) {
    draft.shape.push_back(2);
    draft.repeats.push_back(axis % 2 == (is_first_repeated ? 0 : 1) ? 2 : 1);
  }
  for (int spare = rank - axes; spare > 0; --spare) {
    const auto at = static_cast<std::ptrdiff_t>(mix(number + static_cast<std::uint64_t>(spare)) %
                                                (draft.shape.size() + 1));
    draft.shape.insert(draft.shape.begin() + at, 1);
    draft.repeats.insert(draft.repeats.begin() + at, 1);
  }
  draft.fill = revealing_fill(number);
  const auto& widths = spread.widths();
  spread.add(widths[number % widths.size()], draft);
  if (axes <= 11) spread.add(widths[(number + 1) % widths.size()], draft);
}

}  // namespace

void add_unmergeable_axes(Spread& spread, int most) {
  std::uint64_t number = 0;
  for (int axes = 8; axes <= most; ++axes)
    for (const bool is_first_repeated : {false, true})
      for (const int rank : {axes, axes + 1, 20, 33, 64})
        if (rank >= axes && (axes <= 12 || rank == axes))
          add_alternating(spread, axes, rank, is_first_repeated, ++number);
}

}  // namespace certile::conformance
