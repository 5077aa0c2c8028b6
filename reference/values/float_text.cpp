#include "reference/values/float_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstddef>
#include <limits>

namespace certile {

namespace {

// The magnitude 0.DIGITS * 10^point, spelled uniquely: DIGITS neither begin nor end with 0, and 0 has none.
struct Magnitude {
  std::string digits;
  std::int64_t point = 0;
};

// Returns the number after e or E, clamped if it is beyond 64 bits.
std::int64_t exponent_of(std::string_view decimal) {
  const std::size_t mark = decimal.find_first_of("eE");
  if (mark == std::string_view::npos) return 0;
  std::string_view spelled = decimal.substr(mark + 1);
  if (spelled.starts_with('+')) spelled.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto end = std::from_chars(spelled.data(), spelled.data() + spelled.size(), exponent);
  if (end.ec == std::errc{}) return exponent;
  // Half the range, so that the digits before and after the point can be added.
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

// Returns all digits of `value`, which is finite and not negative.
Magnitude magnitude_of(double value) {
  // Enough for every number of 16 bits or fewer, and the middle of two: the longest is a multiple of 2^-134.
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

// Returns the pattern of a magnitude above 0, the double nearest to the decimal that `decimal` spells; a
// value that is no pattern of the format if the magnitude is too large, or too small for f8e8m0.
template <typename Spelling>
std::int64_t pattern_of(const FloatFormat& format, double magnitude, const Spelling& decimal) {
  // The distance of subnormals is that of the smallest normal numbers; f8e8m0 has no subnormals.
  const int smallest = format.is_signed ? 1 - format.bias : std::numeric_limits<int>::min();
  const int exponent = std::max(std::ilogb(magnitude), smallest);
  // A count of units in the last place: the division changes the exponent alone, so nothing is lost.
  const double units = std::ldexp(magnitude, format.mantissa_bits - exponent);
  const double below = std::floor(units);
  const std::int64_t pattern =
      (std::int64_t{exponent} + format.bias - 1) * (std::int64_t{1} << format.mantissa_bits) +
      static_cast<std::int64_t>(below);
  const double rest = units - below;
  if (rest != 0.5) return rest < 0.5 ? pattern : pattern + 1;
  // The double is in the middle, perhaps because it was rounded itself, so the decimal's digits decide.
  const auto side = magnitude_of(decimal()) <=> magnitude_of(magnitude);
  const bool is_odd = pattern % 2 != 0;
  return side > 0 || (side == 0 && is_odd) ? pattern + 1 : pattern;
}

// Returns value * 10^exponent, to the precision of a double.
double scaled(double value, int exponent) {
  static constexpr std::array<double, 23> exact{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int most = 22;
  while (exponent > most)
    value *= exact[most], exponent -= most;
  while (exponent < -most)
    value /= exact[most], exponent += most;
  return exponent < 0 ? value / exact[static_cast<std::size_t>(-exponent)]
                      : value * exact[static_cast<std::size_t>(exponent)];
}

// A decimal with few digits: digits * 10^exponent.
struct Decimal {
  double digits = 0;
  int exponent = 0;

  double value() const { return scaled(digits, exponent); }
  std::string text() const {
    return std::to_string(static_cast<std::int64_t>(digits)) + "e" + std::to_string(exponent);
  }
};

// Returns the decimal with the fewest digits that reads back as `pattern`, whose value is `value`; of several
// the nearest.
Decimal fewest_digits(const FloatFormat& format, std::uint32_t pattern, double value) {
  const auto reads_back = [&](const Decimal& decimal) {
    return pattern_of(format, decimal.value(), [&] { return decimal.text(); }) == std::int64_t{pattern};
  };
  for (int exponent = static_cast<int>(std::floor(std::log10(value)));; --exponent) {
    Decimal decimal{std::nearbyint(scaled(value, -exponent)), exponent};
    if (reads_back(decimal)) return decimal;
    // At a power of two more numbers round to the pattern from above than from below, so the decimal on the
    // other side of the value may read back although the nearest one does not.
    decimal.digits += decimal.value() > value ? -1 : 1;
    if (reads_back(decimal)) return decimal;
  }
}

std::string shortest_decimal(const FloatFormat& format, std::uint32_t pattern) {
  const auto value = static_cast<double>(narrow_value(format, pattern));
  const double magnitude = std::fabs(value);
  const std::string minus = std::signbit(value) ? "-" : "";
  if (magnitude == 0) return minus + "0";
  const std::uint32_t sign = format.is_signed ? 1U << (format.width - 1) : 0U;
  const std::string fewest = fewest_digits(format, pattern & ~sign, magnitude).text();
  // The double nearest to a decimal with few digits prints as those digits.
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

}  // namespace

std::optional<std::uint32_t> narrow_from_decimal(const FloatFormat& format, std::string_view decimal) {
  double value = 0;
  const auto end = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  if (end.ec != std::errc{} || (std::signbit(value) && !format.is_signed)) return std::nullopt;
  const std::uint32_t sign = std::signbit(value) ? 1U << (format.width - 1) : 0U;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) {
    const bool is_zero = magnitude_of(decimal).digits.empty();
    return format.is_signed && is_zero ? std::optional<std::uint32_t>(sign) : std::nullopt;
  }
  const std::int64_t pattern = pattern_of(format, magnitude, [&] { return decimal; });
  const std::int64_t least = format.is_signed ? 1 : 0;  // the pattern 0 of f8e8m0 is not zero
  if (pattern < least || pattern > static_cast<std::int64_t>(format.largest_finite)) return std::nullopt;
  return sign | static_cast<std::uint32_t>(pattern);
}

bool is_below_one(std::string_view decimal) {
  return magnitude_of(decimal).point <= 0;
}

void append_narrow_decimal(std::string& text, ElementType type, std::uint32_t pattern) {
  text += shortest_decimal(*float_format(type), pattern);
}

namespace {

std::size_t digits_at(std::string_view text, std::size_t position) noexcept {
  std::size_t count = 0;
  while (position + count < text.size() && text[position + count] >= '0' && text[position + count] <= '9')
    ++count;
  return count;
}

bool has_nonzero_digit(std::string_view decimal) noexcept {
  const std::string_view mantissa = decimal.substr(0, decimal.find_first_of("eE"));
  return mantissa.find_first_of("123456789") != std::string_view::npos;
}

template <class Float>
std::optional<Float> from_decimal(std::string_view decimal) noexcept {
  Float value = 0;
  const auto end = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  if (end.ec != std::errc{} || !std::isfinite(value)) return std::nullopt;
  if (value == 0 && has_nonzero_digit(decimal)) return std::nullopt;
  return value;
}

template <class Float>
void append_shortest(std::string& text, Float value) {
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  const std::string_view decimal(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t exponent = decimal.find('e');
  text += decimal.substr(0, exponent);
  if (exponent == std::string_view::npos) return;
  // The library writes at least two digits and always a sign: 1e+05, 1e-07.
  text += decimal[exponent + 1] == '-' ? "e-" : "e";
  text += decimal.substr(decimal.find_first_not_of('0', exponent + 2));
}

}  // namespace

bool is_finite(const FloatFormat& format, std::uint64_t pattern) noexcept {
  const std::uint64_t sign = format.is_signed ? std::uint64_t{1} << (format.width - 1) : 0;
  return (pattern & ~sign) <= format.largest_finite;
}

bool has_infinities(const FloatFormat& format) noexcept {
  const std::uint64_t infinity =
      (std::uint64_t{1} << (format.width - 1)) - (std::uint64_t{1} << format.mantissa_bits);
  return format.is_signed && format.largest_finite == infinity - 1;
}

float narrow_value(const FloatFormat& format, std::uint32_t pattern) noexcept {
  if (!format.is_signed) return std::ldexp(1.0F, static_cast<int>(pattern) - format.bias);
  const std::uint32_t sign = 1U << (format.width - 1);
  const std::uint32_t magnitude = pattern & ~sign;
  const std::uint32_t one = 1U << format.mantissa_bits;
  const std::uint32_t mantissa = magnitude & (one - 1);
  const int exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  // Exponent 0 marks the subnormals: no leading one, and the exponent of the smallest normals.
  const float value =
      exponent == 0
          ? std::ldexp(static_cast<float>(mantissa), 1 - format.bias - format.mantissa_bits)
          : std::ldexp(static_cast<float>(one | mantissa), exponent - format.bias - format.mantissa_bits);
  return (pattern & sign) != 0 ? -value : value;
}

bool is_decimal(std::string_view text) noexcept {
  std::size_t position = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = digits_at(text, position);
  if (whole == 0 || (whole > 1 && text[position] == '0')) return false;
  position += whole;
  if (position < text.size() && text[position] == '.') {
    const std::size_t fraction = digits_at(text, position + 1);
    if (fraction == 0) return false;
    position += 1 + fraction;
  }
  if (position < text.size() && (text[position] == 'e' || text[position] == 'E')) {
    ++position;
    if (position < text.size() && (text[position] == '+' || text[position] == '-')) ++position;
    const std::size_t exponent = digits_at(text, position);
    if (exponent == 0) return false;
    position += exponent;
  }
  return position == text.size();
}

std::optional<float> float_from_decimal(std::string_view decimal) noexcept {
  return from_decimal<float>(decimal);
}

std::optional<double> double_from_decimal(std::string_view decimal) noexcept {
  return from_decimal<double>(decimal);
}

void append_decimal(std::string& text, float value) {
  append_shortest(text, value);
}

void append_decimal(std::string& text, double value) {
  append_shortest(text, value);
}

}  // namespace certile
