#include <algorithm>
#include <array>

#include "conformance/plan/tiers/spread_generators.hpp"

namespace certile::conformance {
namespace {

// Returns tilings of rows of 64 bytes and more, in elements of the width, so that aligned loads and stores
// are worth it.
std::array<Form, 5> forms(int width) {
  const std::int64_t line = std::max<std::int64_t>(512 / width, 1);
  return {{
      {{2 * line + 3}, {1}},
      {{line + 1}, {3}},
      {{3, 2 * line}, {2, 1}},
      {{3, line}, {1, 2}},
      {{2, 3 * line + 5}, {1, 2}},
  }};
}

}  // namespace

void add_alignments(Spread& spread, Lengths lengths) {
  spread.begin(Generator::alignments);
  constexpr int line = 64;
  std::uint64_t number = 0;
  for (const int width : spread.widths()) {
    const int bytes = std::max(width / 8, 1);
    // Bytes meet all pairs, and so do wider elements, which have fewer; packed ones meet every seventh.
    const std::uint64_t every = (width < 8 ? 7 : 1) * (lengths == Lengths::every ? 1 : 16);
    for (int input = 0; input < line; input += bytes)
      for (int output = 0; output < line; output += bytes) {
        const std::uint64_t choice = mix(++number);
        if (input == output || choice % every != 0) continue;
        const Form form = forms(width)[(choice >> 8) % 5];
        spread.add(width, {.shape = form.shape,
                           .repeats = form.repeats,
                           .fill = revealing_fill(number),
                           .placement = {.offset = input, .output_offset = output}});
      }
  }
}

}  // namespace certile::conformance
