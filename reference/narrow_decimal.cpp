#include "reference/narrow_decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstddef>
#include <limits>
#include <mutex>

namespace certile {
namespace {

// The magnitude 0.DIGITS * 10^point, in one spelling: DIGITS neither begin nor end with 0, and 0 has none.
struct Magnitude {
  std::string digits;
  std::int64_t point = 0;
};

// The number after e or E; a number beyond 64 bits counts as the outermost one.
std::int64_t exponent_of(std::string_view decimal) {
  const std::size_t mark = decimal.find_first_of("eE");
  if (mark == std::string_view::npos) return 0;
  std::string_view spelled = decimal.substr(mark + 1);
  if (spelled.starts_with('+')) spelled.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto end = std::from_chars(spelled.data(), spelled.data() + spelled.size(), exponent);
  if (end.ec == std::errc{}) return exponent;
  // Halved, so that the digits before and after the point can still be counted in.
  constexpr std::int64_t outermost = std::numeric_limits<std::int64_t>::max() / 2;
  return spelled.starts_with('-') ? -outermost : outermost;
}

Magnitude magnitude_of(std::string_view decimal) {
  if (decimal.starts_with('-')) decimal.remove_prefix(1);
  const std::string_view mantissa = decimal.substr(0, decimal.find_first_of("eE"));
  const std::size_t whole = std::min(mantissa.find('.'), mantissa.size());
  Magnitude magnitude{std::string(mantissa.substr(0, whole)), 0};
  if (whole < mantissa.size()) magnitude.digits += mantissa.substr(whole + 1);
  const std::size_t zeros = magnitude.digits.find_first_not_of('0');
  if (zeros == std::string::npos) return {};
  magnitude.point =
      exponent_of(decimal) + static_cast<std::int64_t>(whole) - static_cast<std::int64_t>(zeros);
  magnitude.digits.erase(0, zeros);
  magnitude.digits.erase(magnitude.digits.find_last_not_of('0') + 1);
  return magnitude;
}

// All digits of `value`, which is finite and not negative.
Magnitude magnitude_of(double value) {
  // No number of 16 bits or fewer, and no middle of two, has as many: the longest is a multiple of 2^-134.
  constexpr int most_digits = 120;
  std::array<char, most_digits + 16> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific, most_digits - 1);
  return magnitude_of(std::string_view(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())));
}

std::strong_ordering operator<=>(const Magnitude& left, const Magnitude& right) {
  if (left.digits.empty() || right.digits.empty()) return left.digits.size() <=> right.digits.size();
  if (left.point != right.point) return left.point <=> right.point;
  return left.digits <=> right.digits;
}

// The pattern of a magnitude above 0, which is the double nearest to the decimal's; not one of the format
// where the magnitude is too large, or too small for f8e8m0.
std::int64_t pattern_of(const NarrowFloat& format, double magnitude, std::string_view decimal) {
  // Subnormals are as far apart as the smallest normal numbers; f8e8m0 has none.
  const int smallest = format.is_signed ? 1 - format.bias : std::numeric_limits<int>::min();
  const int exponent = std::max(std::ilogb(magnitude), smallest);
  // Counted in units of the last place, which changes the exponent alone, so that nothing is lost.
  const double units = std::ldexp(magnitude, format.mantissa_bits - exponent);
  const double below = std::floor(units);
  const std::int64_t pattern =
      (std::int64_t{exponent} + format.bias - 1) * (std::int64_t{1} << format.mantissa_bits) +
      static_cast<std::int64_t>(below);
  const double rest = units - below;
  if (rest != 0.5) return rest < 0.5 ? pattern : pattern + 1;
  // The double lies in the middle, perhaps because it was rounded itself: the decimal's own digits decide.
  const auto side = magnitude_of(decimal) <=> magnitude_of(magnitude);
  const bool is_odd = pattern % 2 != 0;
  return side > 0 || (side == 0 && is_odd) ? pattern + 1 : pattern;
}

// The first `count` digits.
Magnitude cut(const Magnitude& magnitude, std::size_t count) {
  return {magnitude.digits.substr(0, count), magnitude.point};
}

// The next larger magnitude of as many digits.
Magnitude next_above(Magnitude magnitude) {
  std::size_t nines = 0;
  while (nines < magnitude.digits.size() && magnitude.digits[magnitude.digits.size() - 1 - nines] == '9')
    ++nines;
  magnitude.digits.erase(magnitude.digits.size() - nines);
  if (magnitude.digits.empty()) return {"1", magnitude.point + 1};
  ++magnitude.digits.back();
  return magnitude;
}

// "0.123e4"
std::string spelled(const Magnitude& magnitude) {
  return "0." + magnitude.digits + "e" + std::to_string(magnitude.point);
}

// True where the digits from `count` on are more than half a unit of the digit before them; of exactly half
// where that digit is odd.
bool is_nearer_to_next(const Magnitude& magnitude, std::size_t count) {
  const std::string_view rest = std::string_view(magnitude.digits).substr(count);
  if (rest == "5") return (magnitude.digits[count - 1] - '0') % 2 != 0;
  return rest.front() >= '5';
}

// A decimal of the fewest digits that reads back as `pattern`, whose value is `value`.
std::string fewest_digits(const NarrowFloat& format, std::uint32_t pattern, const Magnitude& value) {
  for (std::size_t count = 1; count < value.digits.size(); ++count) {
    const std::string below = spelled(cut(value, count));
    const std::string above = spelled(next_above(cut(value, count)));
    const bool above_first = is_nearer_to_next(value, count);
    for (const std::string& candidate : {above_first ? above : below, above_first ? below : above})
      if (narrow_from_decimal(format, candidate) == pattern) return candidate;
  }
  return spelled(value);
}

std::string shortest_decimal(const NarrowFloat& format, std::uint32_t pattern) {
  const auto value = static_cast<double>(narrow_value(format, pattern));
  const double magnitude = std::fabs(value);
  const std::string minus = std::signbit(value) ? "-" : "";
  if (magnitude == 0) return minus + "0";
  const std::uint32_t sign = format.is_signed ? 1U << (format.width - 1) : 0U;
  const std::string fewest = fewest_digits(format, pattern & ~sign, magnitude_of(magnitude));
  // The double nearest to so few digits is written as just those.
  double nearest = 0;
  std::from_chars(fewest.data(), fewest.data() + fewest.size(), nearest);
  std::string written = minus;
  append_decimal(written, nearest);
  const bool is_whole = magnitude == std::floor(magnitude);
  if (is_whole && written.find('e') == std::string::npos) {
    written = minus;
    append_decimal(written, magnitude);
  }
  return written;
}

// Decimals of neighbouring patterns, which are found together and kept: to find one takes microseconds, and
// tensors are printed with thousands of them.
struct Block {
  static constexpr std::uint32_t size = 64;
  static constexpr std::size_t longest = 15;
  std::once_flag found;
  std::array<std::array<char, longest + 1>, size> decimals;  // each ends with a NUL
};

// As many as hold every pattern of `Width` bits.  All zero, so that those not asked for take no memory.
template <ElementType Type, int Width>
Block& block_of(std::uint32_t pattern) {
  static std::array<Block, ((std::size_t{1} << Width) + Block::size - 1) / Block::size> blocks;
  return blocks[pattern / Block::size];
}

Block& block_of(ElementType type, std::uint32_t pattern) {
  switch (type) {
    case ElementType::f16:
      return block_of<ElementType::f16, 16>(pattern);
    case ElementType::bf16:
      return block_of<ElementType::bf16, 16>(pattern);
    case ElementType::f8e4m3:
      return block_of<ElementType::f8e4m3, 8>(pattern);
    case ElementType::f8e5m2:
      return block_of<ElementType::f8e5m2, 8>(pattern);
    case ElementType::f8e8m0:
      return block_of<ElementType::f8e8m0, 8>(pattern);
    default:
      return block_of<ElementType::f4e2m1, 4>(pattern);
  }
}

}  // namespace

std::optional<std::uint32_t> narrow_from_decimal(const NarrowFloat& format, std::string_view decimal) {
  double value = 0;
  const auto end = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  if (end.ec != std::errc{} || (std::signbit(value) && !format.is_signed)) return std::nullopt;
  const std::uint32_t sign = std::signbit(value) ? 1U << (format.width - 1) : 0U;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) {
    const bool is_zero = magnitude_of(decimal).digits.empty();
    return format.is_signed && is_zero ? std::optional<std::uint32_t>(sign) : std::nullopt;
  }
  const std::int64_t pattern = pattern_of(format, magnitude, decimal);
  const std::int64_t least = format.is_signed ? 1 : 0;  // the pattern 0 of f8e8m0 is no zero
  if (pattern < least || pattern > std::int64_t{format.largest_finite}) return std::nullopt;
  return sign | static_cast<std::uint32_t>(pattern);
}

bool is_below_one(std::string_view decimal) {
  return magnitude_of(decimal).point <= 0;
}

void append_narrow_decimal(std::string& text, ElementType type, std::uint32_t pattern) {
  const NarrowFloat format = *narrow_float(type);
  Block& block = block_of(type, pattern);
  std::call_once(block.found, [&] {
    const std::uint32_t first = pattern / Block::size * Block::size;
    const std::uint32_t patterns = std::min(Block::size, std::uint32_t{1} << format.width);
    for (std::uint32_t index = 0; index < patterns; ++index)
      if (is_finite(format, first + index))
        shortest_decimal(format, first + index).copy(block.decimals[index].data(), Block::longest);
  });
  text += block.decimals[pattern % Block::size].data();
}

}  // namespace certile
