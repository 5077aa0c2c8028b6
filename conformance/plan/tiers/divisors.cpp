#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/plan/tiers/spread_generators.hpp"

namespace certile::conformance {
namespace {

constexpr std::int64_t largest_divisor = 130;

std::int64_t least_factor(std::int64_t number) {
  std::int64_t factor = 2;
  while (number % factor != 0)
    ++factor;
  return factor;
}

// Adds `axes` repeated axes, all with two elements and two copies but one.
void add_with(Spread& spread, int width, std::size_t axes, std::size_t place, std::int64_t dimension,
              std::int64_t repeat) {
  Draft draft{.shape = Shape(axes, 2),
              .repeats = Shape(axes, 2),
              .fill = {Fill::Kind::bits, static_cast<std::uint64_t>(dimension)}};
  draft.shape[place] = dimension;
  draft.repeats[place] = repeat;
  spread.add(width, draft);
}

}  // namespace

void add_divisors(Spread& spread, Divisors wanted) {
  spread.begin(Generator::divisors);
  if (spread.widths().empty()) return;
  // What counts are the numbers, so the elements are as small as whole bytes allow.
  const auto whole = std::ranges::find_if(spread.widths(), [](int width) { return width >= 8; });
  const int width = whole == spread.widths().end() ? spread.widths().back() : *whole;
  const bool is_sampled = wanted == Divisors::of_five_axes;
  for (std::size_t axes = is_sampled ? 5 : 2; axes <= (is_sampled ? 5 : 6); ++axes)
    for (std::int64_t number = 1; number <= largest_divisor; ++number)
      for (const std::size_t place : {axes - 1, static_cast<std::size_t>(number) % (axes - 1)}) {
        add_with(spread, width, axes, place, number, 2);
        // Even ones are the dimensions above times two.
        if (const bool is_new = number % 2 == 1 && number > 1; is_new && !is_sampled) {
          const std::int64_t repeat = least_factor(number);
          add_with(spread, width, axes, place, number / repeat, repeat);
        }
      }
}

}  // namespace certile::conformance
