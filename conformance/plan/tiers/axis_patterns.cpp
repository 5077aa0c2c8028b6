#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/plan/tiers/spread_generators.hpp"

namespace certile::conformance {
namespace {

// Returns a tiling whose leading axes have several elements, repeats, both or neither, by two bits of
// `pattern` for each.
Draft patterned(std::size_t leading, std::uint64_t pattern, std::uint64_t number) {
  Draft draft;
  for (std::size_t axis = 0; axis < leading; ++axis, pattern /= 4) {
    const std::uint64_t choice = mix(number * 16 + axis);
    const auto several = [&](int at) { return static_cast<std::int64_t>(2 + (choice >> at) % 2); };
    draft.shape.push_back(pattern % 2 == 1 ? several(0) : 1);
    draft.repeats.push_back(pattern / 2 % 2 == 1 ? several(8) : 1);
  }
  return draft;
}

}  // namespace

void add_axis_patterns(Spread& spread, AxisPatterns wanted) {
  spread.begin(Generator::axis_patterns);
  std::vector<int> widths;
  for (const int width : spread.widths())
    if (width >= 8 && width <= 64) widths.push_back(width);
  if (widths.empty()) return;
  std::uint64_t number = 0;
  const auto add = [&](std::size_t leading, std::uint64_t pattern, int width, std::int64_t repeat) {
    // Bytes of a row, longer than a few vectors.
    constexpr std::int64_t least = 128, choices = 400;
    Draft draft = patterned(leading, pattern, ++number);
    const std::int64_t bytes = least + static_cast<std::int64_t>(mix(number) % choices);
    draft.shape.push_back(bytes * 8 / width);
    draft.repeats.push_back(repeat);
    draft.fill = revealing_fill(number);
    spread.add(width, draft);
  };
  for (const std::size_t leading : {std::size_t{3}, std::size_t{4}})
    for (std::uint64_t pattern = 0; pattern < std::uint64_t{1} << (2 * leading); ++pattern) {
      if (wanted == AxisPatterns::once) {
        const std::uint64_t choice = mix(pattern);
        add(leading, pattern, widths[choice % widths.size()], (choice >> 32) % 4 == 0 ? 3 : 1);
        continue;
      }
      for (const int width : widths)
        for (const std::int64_t repeat : {1, 3})
          add(leading, pattern, width, repeat);
    }
}

}  // namespace certile::conformance
