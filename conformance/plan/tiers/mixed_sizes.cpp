#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "conformance/plan/tiers/random.hpp"
#include "conformance/plan/tiers/spread_generators.hpp"

namespace certile::conformance {
namespace {

// Returns a number from `least` to `most`, all powers of two between them equally likely.
std::int64_t draw_magnitude(Random& random, std::int64_t least, std::int64_t most) {
  const std::int64_t low = std::countr_zero(std::bit_floor(static_cast<std::uint64_t>(least)));
  const std::int64_t high = std::countr_zero(std::bit_floor(static_cast<std::uint64_t>(most)));
  const std::int64_t power = std::int64_t{1} << random.between(low, high);
  return std::clamp(power + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(power))), least,
                    most);
}

// Returns a dimension or a repeat: mostly small, sometimes anything that is left.
std::int64_t draw_number(Random& random, std::int64_t left) {
  const std::uint64_t kind = random.below(10);
  if (kind < 5) return std::min<std::int64_t>(random.between(2, 9), left);
  if (kind < 8) return std::min<std::int64_t>(random.between(10, 70), left);
  return draw_magnitude(random, 1, left);
}

// Moves the number to a neighbour of a power of two, or leaves it where it is.
std::int64_t near_a_power(Random& random, std::int64_t number) {
  if (number < 8 || random.chance(60)) return number;
  const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(number)));
  return power + random.between(-1, 1);
}

// Draws shape and repeats whose output has about `count` elements.  One of all dimensions and repeats takes
// what the others leave, whichever it is, so that each of them becomes large.
Draft draw_tiling(Random& random, std::int64_t count) {
  const auto axes = static_cast<std::size_t>(random.between(1, 5));
  Draft draft{.shape = Shape(axes, 1), .repeats = Shape(axes, 1)};
  std::vector<std::int64_t*> numbers;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (random.chance(75)) numbers.push_back(&draft.shape[axis]);
    if (random.chance(50)) numbers.push_back(&draft.repeats[axis]);
  }
  if (numbers.empty()) numbers.push_back(&draft.shape.back());
  const auto last = static_cast<std::size_t>(random.below(numbers.size()));
  std::swap(numbers[last], numbers.back());
  std::int64_t left = count;
  for (std::int64_t* number : numbers) {
    *number = number == numbers.back() ? near_a_power(random, left) : draw_number(random, left);
    left = std::max<std::int64_t>(left / *number, 1);
  }
  return draft;
}

Placement draw_place(Random& random, int width) {
  const std::uint64_t kind = random.below(20);
  if (kind == 0) return {.guard = Placement::Guard::before};
  if (kind == 1) return {.guard = Placement::Guard::after};
  if (kind >= 7) return {};
  const int bytes = std::max(width / 8, 1);
  const auto offset = [&] {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(64 / bytes))) * bytes;
  };
  Placement placement{.offset = offset()};
  if (const int output = offset(); output != placement.offset) placement.output_offset = output;
  return placement;
}

}  // namespace

void add_mixed_sizes(Spread& spread, const MixedSizes& wanted) {
  spread.begin(Generator::mixed_sizes);
  Random random(0x51'7e5 + static_cast<std::uint64_t>(wanted.most));
  for (int number = 0; number < wanted.count; ++number)
    for (const int width : spread.widths()) {
      // Packed elements are taken apart and put together one by one, by kernels and by certile.
      const std::int64_t bytes = draw_magnitude(
          random, wanted.least, width < 8 ? std::max(wanted.most / 128, wanted.least) : wanted.most);
      Draft draft = draw_tiling(random, bytes * 8 / width);
      draft.fill = random.chance(4) ? Fill{Fill::Kind::zero, 0} : revealing_fill(random.next());
      draft.placement = draw_place(random, width);
      spread.add(width, draft);
    }
}

}  // namespace certile::conformance
