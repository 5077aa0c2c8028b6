#include "bench/run/sweep.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace certile::bench {
namespace {

constexpr std::int64_t kibibyte = 1024, mebibyte = 1024 * kibibyte;
// From a cache line to far beyond any cache.
constexpr std::int64_t sizes[] = {64,           512,          4 * kibibyte,  32 * kibibyte,  256 * kibibyte,
                                  2 * mebibyte, 8 * mebibyte, 32 * mebibyte, 128 * mebibyte, 512 * mebibyte};
constexpr std::int64_t most_repeats = 16;

// Row sizes around the widths of registers and cache lines: powers of two and others.
constexpr std::int64_t row_bytes[] = {1,  2,  3,  4,  5,  7,  8,   12,  15,  16,  17,  24,  31,  32,
                                      33, 48, 63, 64, 65, 96, 100, 127, 128, 129, 192, 255, 256, 257};

struct PackedRow {
  std::string_view type;
  std::int64_t bits, elements;
};
// Rows that end on a byte, and rows that do not.
constexpr PackedRow packed_rows[] = {{"u1", 1, 1},  {"u1", 1, 8}, {"u1", 1, 13}, {"u2", 2, 3}, {"u3", 3, 8},
                                     {"u3", 3, 5},  {"i4", 4, 1}, {"i4", 4, 2},  {"i4", 4, 7}, {"u4", 4, 64},
                                     {"u4", 4, 65}, {"u6", 6, 4}, {"u6", 6, 11}};
constexpr std::int64_t packed_sizes[] = {512, 256 * kibibyte, 32 * mebibyte};

// Returns a line whose rows of `elements` elements, each repeated, write about `bits` bits; nothing if two
// rows do not fit.
std::string line(std::string_view type, std::int64_t bits, std::int64_t row_bits, std::int64_t elements) {
  const std::int64_t rows_written = bits / row_bits;
  if (rows_written < 2) return {};
  const std::int64_t repeats = std::min(most_repeats, rows_written);
  return "openvino-tile-1 " + std::string(type) + "[" + std::to_string(rows_written / repeats) + "," +
         std::to_string(elements) + "] x i64{1," + std::to_string(repeats) + "} # sweep:\n";
}

}  // namespace

std::string sweep_text() {
  std::string text;
  for (const std::int64_t size : sizes)
    for (const std::int64_t bytes : row_bytes)
      text += line("u8", size * 8, bytes * 8, bytes);
  for (const std::int64_t size : packed_sizes)
    for (const PackedRow& row : packed_rows)
      text += line(row.type, size * 8, row.elements * row.bits, row.elements);
  return text;
}

}  // namespace certile::bench
