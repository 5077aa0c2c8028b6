#include "reference/values/special_values.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "reference/values/float_text.hpp"

namespace certile {
namespace {

using Patterns = std::vector<std::uint64_t>;

// Returns the patterns of a float that has infinities, and NaNs above them.
Patterns of_ieee_float(const FloatFormat& format) {
  const std::uint64_t one = 1;
  const std::uint64_t sign = one << (format.width - 1);
  const std::uint64_t smallest_normal = one << format.mantissa_bits;
  const std::uint64_t infinity = sign - smallest_normal;
  const std::uint64_t quiet = infinity | smallest_normal >> 1U;
  const std::uint64_t largest_subnormal = smallest_normal - 1;
  const std::uint64_t largest = infinity - 1;
  return {
      quiet | 1,            // a quiet NaN with a payload
      infinity | 1,         // a signalling NaN
      sign | (sign - 1),    // the negative NaN of all ones
      sign | infinity | 1,  // a negative signalling NaN
      infinity,
      sign | infinity,
      sign,  // -0
      1,     // the smallest subnormal
      sign | largest_subnormal,
      smallest_normal,
      largest,
      sign | largest,
      0,
  };
}

Patterns of_integer(int width) {
  const std::uint64_t one = 1;
  const std::uint64_t sign = one << (width - 1);
  Patterns patterns{sign, sign - 1, sign | (sign - 1), 0};
  // The largest integer of two bits is a single bit as well.
  for (int bit = 0; bit < width - 1; ++bit)
    if (one << bit != sign - 1) patterns.push_back(one << bit);
  return patterns;
}

Patterns patterns_of(ElementType type) {
  const auto format = float_format(type);
  if (format && has_infinities(*format)) return of_ieee_float(*format);
  switch (type) {
    // No infinities; both NaNs, -0, subnormals, the smallest normal, extremes.
    case ElementType::f8e4m3:
      return {0x7f, 0xff, 0x80, 0x01, 0x87, 0x08, 0x7e, 0xfe, 0x00};
    // The NaN, 2^-127, 2^127, 2^0, 2^1.
    case ElementType::f8e8m0:
      return {0xff, 0x00, 0xfe, 0x7f, 0x80};
    // -0, both subnormals, the extremes.
    case ElementType::f4e2m1:
      return {0x8, 0x1, 0x9, 0x7, 0xf, 0x0};
    // The extremes -1 and 1, zero, and its neighbours.
    case ElementType::nf4:
      return {0x0, 0xf, 0x7, 0x8, 0x6};
    default:
      break;
  }
  if (is_integer(type) && type != ElementType::u1) return of_integer(bits(type));
  return {};
}

constexpr std::size_t replaced_strings = 4;
using Replaced = std::array<std::string_view, replaced_strings>;

constexpr Replaced invalid_utf8{
    "\xff\xfe",
    "\xc0\x80",      // an overlong NUL
    "\xed\xa0\x80",  // half of a surrogate pair
    "\xe2\x82",      // cut short
};

constexpr Replaced outermost_utf8{
    "\xc2\x80\xdf\xbf",                          // the first and the last character of two bytes
    "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80",      // of three, and those next to the surrogates
    "\xef\xbb\xbf\xef\xbf\xbf\xf4\x8f\xbf\xbf",  // a byte order mark, and the last of three and of four bytes
    "e\xcc\x81",                                 // a letter and its accent, which normalization would join
};

std::vector<std::string> make_strings(const Replaced& replaced) {
  using namespace std::string_literals;
  std::vector<std::string> strings{""s, "\0"s, "a\0b"s, "\0\0tail"s};
  strings.insert(strings.end(), replaced.begin(), replaced.end());
  strings.insert(strings.end(), {
                                    "\xe2\x82\xac",       // a character of three bytes
                                    "\xf0\x9f\x98\x80",   // and of four
                                    "'\"\\\n\r\t\x1b[0m"  // special to shells, JSON and terminals
                                });
  for (const std::size_t size : {15U, 16U, 22U, 23U, 24U, 255U, 256U, 1000U}) {
    strings.emplace_back(size, 's');
    strings.back().back() = static_cast<char>('a' + strings.size() % 26);
  }
  return strings;
}

}  // namespace

std::span<const std::uint64_t> special_values(ElementType type) {
  static const std::array<Patterns, element_type_count> table = [] {
    std::array<Patterns, element_type_count> result;
    for (const ElementType each : all_element_types())
      result[static_cast<std::size_t>(each)] = patterns_of(each);
    return result;
  }();
  return table[static_cast<std::size_t>(type)];
}

std::span<const std::string> special_strings() {
  static const std::vector<std::string> strings = make_strings(invalid_utf8);
  return strings;
}

std::span<const std::string> special_utf8_strings() {
  static const std::vector<std::string> strings = make_strings(outermost_utf8);
  return strings;
}

}  // namespace certile
