#include "reference/values/float_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace certile {
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
