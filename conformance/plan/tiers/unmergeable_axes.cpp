#include <vector>

#include "conformance/plan/tiers/spread_generators.hpp"

namespace certile::conformance {
namespace {

// Adds `axes` axes of which no two can be merged, between axes of one element up to `rank`.  An axis can be
// merged with the next one if that one is not repeated, or if the axis itself has one element; so every axis
// but the last has two elements, and every axis but the first is repeated; the first is not in a third of the
// cases, and three times in another.
void add_unmergeable(Spread& spread, int width, int axes, int rank, std::uint64_t number) {
  const auto of_first = static_cast<std::int64_t>(1 + mix(number * 3) % 3);
  Draft draft;
  for (int axis = 0; axis < axes; ++axis) {
    draft.shape.push_back(axis + 1 == axes ? 1 : 2);
    draft.repeats.push_back(axis == 0 ? of_first : 2);
  }
  for (int spare = rank - axes; spare > 0; --spare) {
    const auto at = static_cast<std::ptrdiff_t>(mix(number + static_cast<std::uint64_t>(spare)) %
                                                (draft.shape.size() + 1));
    draft.shape.insert(draft.shape.begin() + at, 1);
    draft.repeats.insert(draft.repeats.begin() + at, 1);
  }
  draft.fill = revealing_fill(number);
  spread.add(width, draft);
}

// Adds data of more than 65,536 elements behind three axes and more that cannot be merged, which kernels
// number or list; the long axis is the first one, one in the middle or the last.
void add_much_data(Spread& spread, int width) {
  for (std::size_t axes = 3; axes <= 7; ++axes)
    for (const std::size_t place : {std::size_t{0}, axes / 2, axes - 1}) {
      Draft draft{.shape = Shape(axes, 2), .repeats = Shape(axes, 2)};
      draft.shape[place] = (70'000 >> (axes - 1)) | 1;
      draft.fill = revealing_fill(axes * 7 + place);
      spread.add(width, draft);
    }
}

}  // namespace

void add_unmergeable_axes(Spread& spread, int most) {
  spread.begin(Generator::unmergeable_axes);
  std::uint64_t number = 0;
  for (int axes = 8; axes <= most; ++axes)
    for (const int rank : {axes, axes + 1, 20, 33, 64})
      for (const int width : spread.widths()) {
        // The output has 4 to the power of axes - 1 elements, so few types are asked of many axes.
        const bool is_affordable = axes == 8 || width == 8 || (width > 8 && axes == 9) ||
                                   (width == 32 && axes <= 11) || (width == 1 && axes == 13);
        const bool is_due = axes <= 9 || rank == axes || (axes == 10 && rank == 64);
        if (is_affordable && is_due && width <= 64) add_unmergeable(spread, width, axes, rank, ++number);
      }
  if (most >= 12) add_much_data(spread, 8);
}

}  // namespace certile::conformance
