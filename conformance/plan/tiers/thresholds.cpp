#include <algorithm>
#include <array>
#include <vector>

#include "conformance/plan/tiers/spread_generators.hpp"

namespace certile::conformance {
namespace {

constexpr std::int64_t kib = 1024, mib = 1024 * kib;

// Returns tilings with an output of a little more than `count` elements, one for each way of copying.
std::vector<Form> with_output_of(std::int64_t count) {
  return {
      {{5, count / 15 + 1}, {1, 3}},               // few long rows, each copied
      {{3, count / 6 + 1}, {2, 1}},                // all of the data, twice
      {{count / 105 + 1, 7}, {5, 3}},              // many short rows
      {{3, count / 84 + 1, 4}, {1, 7, 1}},         // blocks in the middle, copied seven times
      {{count / 33 + 1, 1, 3}, {1, 11, 1}},        // many small blocks, copied
      {{3, 11, 1}, {1, 1, count / 33 + 1}},        // one element, often
      {{count + 3}, {1}},                          // nothing is repeated
      {{2, 3, count / 120 + 1, 5}, {2, 1, 2, 1}},  // two ways at once
  };
}

// Returns tilings with data of a little more than `count` elements, repeated.
std::vector<Form> with_data_of(std::int64_t count) {
  return {
      {{count + 1}, {2}},
      {{3, count / 3 + 1}, {2, 1}},
      {{count / 3 + 1, 3}, {1, 2}},
      {{2, count / 2 + 1}, {1, 2}},
  };
}

}  // namespace

void add_packed_mebibyte(Spread& spread, std::int64_t number) {
  constexpr std::int64_t least = 2 * mib - 8'000;  // elements of half a byte
  spread.begin(Generator::thresholds);
  spread.add(4, {.shape = {least + number}, .repeats = {2}, .fill = {Fill::Kind::bits, 1}});
}

void add_large_fills(Spread& spread) {
  spread.begin(Generator::thresholds);
  for (const int width : {8, 16, 32, 64})
    for (const std::int64_t bytes : {8 * mib, 16 * mib})
      spread.add(width, {.shape = {1},
                         .repeats = {bytes * 8 / width + 5},
                         .fill = {Fill::Kind::bits, static_cast<std::uint64_t>(width)}});
}

void add_thresholds(Spread& spread, std::int64_t most) {
  spread.begin(Generator::thresholds);
  constexpr std::array rungs{32 * kib, 64 * kib, 128 * kib, 256 * kib, 512 * kib,
                             1 * mib,  2 * mib,  4 * mib,   8 * mib,   16 * mib,
                             20 * mib, 32 * mib, 64 * mib,  128 * mib, 256 * mib};
  // Packed elements are taken apart and put together one by one, by kernels and by certile.
  const std::int64_t most_of_packed = std::min(most / 8, 256 * kib);
  // A packed row that is unpacked whole may not fit the stack.
  if (most > 8 * mib)
    spread.add(4, {.shape = {4 * mib + 300'001}, .repeats = {2}, .fill = {Fill::Kind::bits, 1}});
  std::uint64_t number = 0;
  int rung = 0;
  for (const std::int64_t bytes : rungs) {
    if (bytes > most) break;
    ++rung;
    const bool is_large = bytes > 8 * mib;
    // Small outputs come in all widths, large ones, which cost more, in fewer and in fewer forms.
    const std::size_t forms_for_each = bytes <= 256 * kib ? 8 : bytes <= mib ? 4 : bytes <= 4 * mib ? 2 : 1;
    for (const int width : spread.widths()) {
      const bool is_rare = width != 8 && width != 32 && width != 64;
      if ((width < 8 && bytes > most_of_packed) || (is_rare && bytes > mib)) continue;
      if (bytes > 20 * mib && width == 64) continue;
      if (bytes > 64 * mib && width == 32) continue;
      const std::int64_t count = bytes * 8 / width;
      for (std::size_t turn = 0; turn < (width < 8 ? 2 : forms_for_each); ++turn) {
        const auto outputs = with_output_of(count);
        const Form& form = outputs[(number + turn * 3) % outputs.size()];
        spread.add(width, {.shape = form.shape, .repeats = form.repeats, .fill = revealing_fill(++number)});
      }
      // A kernel that computes with elements changes only some: negative zeros, NaN, subnormal numbers.
      if ((width == 32 && bytes <= 20 * mib) || (!is_large && (width == 16 || width == 64)))
        spread.add_real(width, {.shape = {3, count / 6 + 1},
                                .repeats = {2, 1},
                                .fill = {Fill::Kind::special, static_cast<std::uint64_t>(width)}});
      // Zeros may be taken for what the output has already.
      if (!is_large && (width == 8 || width == 32))
        spread.add(width, {.shape = {count / 2}, .repeats = {2}, .fill = {Fill::Kind::zero, 0}});
      // A short pattern has a period that no power of two is a multiple of, and a count that a float rounds.
      const auto add_period = [&](std::int64_t period) {
        spread.add(width,
                   {.shape = {period}, .repeats = {count / period + 1}, .fill = revealing_fill(number)});
      };
      if (width >= 8 && !is_large) add_period(4 + static_cast<std::int64_t>(number % 10));
      // So is the number of millions of short rows.  Large outputs are one or the other in turn.
      if (width == 8 && bytes <= 20 * mib && (!is_large || rung % 2 == 1)) add_period(3);
      if (width == 8 && bytes > mib && bytes <= 20 * mib && (!is_large || rung % 2 == 0))
        spread.add(width,
                   {.shape = {7, 2}, .repeats = {count / 28 + 1, 2}, .fill = revealing_fill(number + 1)});
      // So has a pattern that is longer than a vector.
      if (width == 8 && bytes >= 4 * mib && bytes <= 16 * mib)
        for (const std::uint64_t turn : {0U, 1U})
          add_period(17 + 2 * static_cast<std::int64_t>(mix(number + turn) % 24));
      // An output that begins between lines has a head, after which a pattern has to be turned; and what a
      // vector makes of one element of it shows in none but a signalling NaN.
      if (!is_rare && bytes <= 4 * mib) {
        const Placement placement{.output_offset = 8 * static_cast<int>(1 + bytes / (32 * kib) % 7)};
        spread.add(width, {.shape = {256 / width},
                           .repeats = {count * width / 256},
                           .fill = {Fill::Kind::bits, 1},
                           .placement = placement});
        if (width > 8)
          spread.add_real(
              width,
              {.shape = {1}, .repeats = {count}, .fill = {Fill::Kind::special, 1}, .placement = placement});
      }
      if (bytes <= 4 * mib) {
        const auto data = with_data_of(count);
        const Form& form = data[++number % data.size()];
        spread.add(width, {.shape = form.shape, .repeats = form.repeats, .fill = revealing_fill(number)});
      }
    }
  }
}

}  // namespace certile::conformance
