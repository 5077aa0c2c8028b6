#include <algorithm>
#include <array>

#include "conformance/plan/tiers/spread_generators.hpp"

namespace certile::conformance {
namespace {

// The lengths of rows in models, none of which is near a power of two, and counts beyond a table's size.
constexpr std::array<std::int64_t, 18> lengths_of_models{150, 200, 224,  300,  320,  384,  448,  500,  512,
                                                         640, 768, 1000, 1024, 1280, 1536, 2048, 3072, 4096};

// The sizes of vocabularies, and the sides of images.
constexpr std::array<std::int64_t, 6> vocabularies{30'522, 32'000, 50'257, 50'304, 128'256, 151'936};
constexpr std::array<std::int64_t, 8> sides_of_images{28, 32, 96, 224, 256, 299, 384, 512};

std::uint64_t one_in(Lengths lengths, std::uint64_t every) {
  return lengths == Lengths::every ? every : every * 8;
}

// Adds a row of the length: repeated, one of several in front of repeated ones, and as it is.
void add_row(Spread& spread, int width, std::int64_t length, std::uint64_t number) {
  const auto copies = static_cast<std::int64_t>(2 + mix(number) % 9);
  const bool is_high = mix(number) / 128 % 8 == 0;
  const auto rows = static_cast<std::int64_t>((is_high ? 33 : 2) + mix(number) / 16 % 6);
  const Fill fill = revealing_fill(number);
  switch (number % 4) {
    case 0:
      return spread.add(width, {.shape = {length}, .repeats = {copies}, .fill = fill});
    case 1:
      return spread.add(width, {.shape = {rows, length}, .repeats = {1, copies}, .fill = fill});
    case 2:
      return spread.add(width, {.shape = {rows, length}, .repeats = {copies, 1}, .fill = fill});
    default:
      return spread.add(width, {.shape = {rows, 1, length}, .repeats = {1, copies, 1}, .fill = fill});
  }
}

// Adds many rows of up to 16 bytes with each count of up to 16 copies, for which kernels have tables.
void add_short_rows(Spread& spread, int width) {
  std::uint64_t number = static_cast<std::uint64_t>(width) * 1000;
  for (std::int64_t length = 1; length <= 128 / width; ++length)
    for (std::int64_t copies = 2; copies <= 16; ++copies) {
      const auto rows = static_cast<std::int64_t>(1030 + mix(++number) % 64);
      spread.add(
          width,
          {.shape = {rows, length}, .repeats = {1, copies}, .fill = {Fill::Kind::bits, number % 1000}});
    }
}

// Adds one row more than powers of two count, longer than kernels copy in registers, so that a device is
// given one command for several of them; a command counts them in few bits.
void add_many_long_rows(Spread& spread, int width, int most_bits) {
  for (int bits = 8; bits <= most_bits; ++bits) {
    const std::uint64_t number =
        mix(static_cast<std::uint64_t>(width) * 100 + static_cast<std::uint64_t>(bits));
    const std::int64_t rows = (std::int64_t{1} << bits) + 1;
    const auto length = static_cast<std::int64_t>(256 + number % 100) * 8 / width;
    const Fill fill{Fill::Kind::bits, number % 1000};
    if (bits % 2 == 0)
      spread.add(width, {.shape = {rows, length}, .repeats = {1, 2}, .fill = fill});
    else
      spread.add(width, {.shape = {rows, 1, length}, .repeats = {2, 2, 1}, .fill = fill});
  }
}

// Adds two rows whose repeats together are a little longer than a power of two: the distance in the output,
// which a command may count in fewer bits than the distance in the data needs.
void add_distant_rows(Spread& spread, int width, int most_bits) {
  for (int bits = 15; bits <= most_bits; ++bits) {
    const std::uint64_t number =
        mix(static_cast<std::uint64_t>(width) * 200 + static_cast<std::uint64_t>(bits));
    const auto length = static_cast<std::int64_t>(256 + number % 100);
    spread.add(width, {.shape = {2, length},
                       .repeats = {1, (std::int64_t{1} << bits) / length + 1},
                       .fill = {Fill::Kind::bits, number % 1000}});
  }
}

// Adds packed rows of a little more than 2^20 bits, which begin at each bit of a byte.
void add_long_packed_rows(Spread& spread, int width) {
  const std::int64_t length = (std::int64_t{1} << 20) / width + 1;
  const Fill fill{Fill::Kind::bits, static_cast<std::uint64_t>(width)};
  spread.add(width, {.shape = {2, length}, .repeats = {1, 3}, .fill = fill});
  spread.add(width, {.shape = {3, length + 1}, .repeats = {2, 1}, .fill = fill});
}

void add_model_sizes(Spread& spread, int width) {
  std::uint64_t number = static_cast<std::uint64_t>(width);
  for (const std::int64_t length : vocabularies)
    spread.add(width, {.shape = {2, length}, .repeats = {1, 2}, .fill = revealing_fill(++number)});
  for (const std::int64_t side : sides_of_images) {
    spread.add(width, {.shape = {side, side}, .repeats = {2, 1}, .fill = revealing_fill(++number)});
    spread.add(width, {.shape = {3, side, side}, .repeats = {1, 1, 2}, .fill = revealing_fill(++number)});
  }
}

}  // namespace

void add_lengths(Spread& spread, Lengths lengths) {
  spread.begin(Generator::lengths);
  std::uint64_t number = 0;
  for (const int width : spread.widths()) {
    // Every length of a row up to 300 bytes and 200 elements, of types of one byte and less to 300 elements.
    const std::int64_t longest = width <= 8 ? 300 : 200;
    for (std::int64_t length = 1; length <= longest; ++length)
      for (int form = 0; form < 4; ++form)
        if (mix(++number) % one_in(lengths, 1) == 0) add_row(spread, width, length, number);
    // Every period of up to 16 bytes, or bits, with every count of copies.
    const std::int64_t most = width <= 8 ? 16 : 128 / width;
    for (std::int64_t period = 1; period <= most; ++period)
      for (std::int64_t copies = 2; copies <= 130; ++copies)
        if (mix(++number) % one_in(lengths, 1) == 0) {
          const bool is_alone = number % 3 == 0;
          spread.add(width, {.shape = is_alone ? Shape{period} : Shape{3, period},
                             .repeats = is_alone ? Shape{copies} : Shape{1, copies},
                             .fill = revealing_fill(number)});
        }
    // Rows of up to 256 bytes with up to 70 copies, one pair in several.
    const std::int64_t widest = std::max<std::int64_t>(8 * 256 / width / (width < 8 ? 8 : 1), 1);
    for (std::int64_t length = 1; length <= widest; ++length)
      for (std::int64_t copies = 2; copies <= 70; ++copies)
        if (mix(++number) % one_in(lengths, 6) == 0)
          spread.add(width, {.shape = {number % 4 == 0 ? 34 : 2, length},
                             .repeats = {1, copies},
                             .fill = revealing_fill(number)});
    for (const std::int64_t length : lengths_of_models)
      for (int form = 0; form < 4; ++form)
        if (mix(++number) % one_in(lengths, 1) == 0) {
          add_row(spread, width, length, number);
          spread.add(width, {.shape = {2, 3, 1}, .repeats = {1, 1, length}, .fill = revealing_fill(number)});
        }
    if (lengths == Lengths::every && width >= 8) add_short_rows(spread, width);
    if (lengths == Lengths::every && width < 8) add_long_packed_rows(spread, width);
    if (width == 8) {
      add_many_long_rows(spread, width, lengths == Lengths::every ? 16 : 12);
      add_distant_rows(spread, width, lengths == Lengths::every ? 24 : 20);
    }
    if (width == 32 && lengths == Lengths::every) add_many_long_rows(spread, width, 14);
    if (lengths == Lengths::every && (width == 8 || width == 32)) add_model_sizes(spread, width);
    // Between the powers of two, where no other generator has a length.
    for (int draw = 0; draw < 24; ++draw)
      if (const auto length = static_cast<std::int64_t>(300 + mix(++number) % 16'000);
          mix(number + 1) % one_in(lengths, 1) == 0)
        add_row(spread, width, length, number);
  }
}

}  // namespace certile::conformance
