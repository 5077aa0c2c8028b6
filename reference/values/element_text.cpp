#include "reference/values/element_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <limits>

#include "reference/values/excerpt.hpp"
#include "reference/values/float_text.hpp"
#include "reference/values/narrow_decimal.hpp"

namespace certile {
namespace {

using Bits = Tensor::Bits;

Error bad_element(std::string sentence) {
  return {Error::Code::bad_literal, std::move(sentence)};
}

std::string in(ElementType type) {
  return std::string(name(type));
}

// Returns the number of hexadecimal digits of an element: two per byte, one for up to four bits.
std::size_t hex_digits(ElementType type) noexcept {
  return static_cast<std::size_t>((bits(type) + 3) / 4);
}

std::uint64_t mask(int width) noexcept {
  return width >= 64 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << width) - 1;
}

Result<Bits> bits_from_hex(ElementType type, std::string_view spelling) {
  const std::string_view digits = spelling.substr(2);
  const std::size_t wanted = hex_digits(type);
  const std::size_t low_digits = digits.size() > 16 ? 16 : digits.size();
  const std::string_view high = digits.substr(0, digits.size() - low_digits);
  const std::string_view low = digits.substr(high.size());
  if (digits.size() != wanted || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
    return bad_element("the bits of " + in(type) + " are 0x and " + std::to_string(wanted) +
                       " hexadecimal digits, not " + excerpt(spelling));
  Bits value;
  std::from_chars(low.data(), low.data() + low.size(), value.low, 16);
  std::from_chars(high.data(), high.data() + high.size(), value.high, 16);
  if ((type == ElementType::boolean && value.low > 1) || (value.low & ~mask(bits(type))) != 0)
    return bad_element(excerpt(spelling) + " is not a value of " + in(type));
  return value;
}

void append_hex(std::string& text, ElementType type, Bits value) {
  constexpr std::string_view digits = "0123456789abcdef";
  text += "0x";
  for (std::size_t digit = hex_digits(type); digit-- > 0;) {
    const std::uint64_t half = digit >= 16 ? value.high : value.low;
    text += digits[(half >> (4 * (digit % 16))) & 15U];
  }
}

template <class Integer>
void append_integer(std::string& text, Integer value) {
  std::array<char, 24> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), end.ptr);
}

template <class Integer>
Result<Bits> integer_from_text(ElementType type, std::string_view spelling, Integer least, Integer most) {
  Integer value = 0;
  const auto end = std::from_chars(spelling.data(), spelling.data() + spelling.size(), value);
  const std::string_view digits = spelling.substr(spelling.starts_with('-') ? 1 : 0);
  if (digits.size() > 1 && digits[0] == '0')
    return bad_element("a number has no leading zeros, not " + excerpt(spelling));
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
    return bad_element("expected an integer or 0x bits for " + in(type) + ", found " +
                       (spelling.empty() ? "nothing" : excerpt(spelling)));
  if (end.ec != std::errc{} || end.ptr != spelling.data() + spelling.size() || value < least || value > most)
    return bad_element(excerpt(spelling) + " is out of the range of " + in(type) + ", " +
                       std::to_string(least) + " to " + std::to_string(most));
  return Bits{static_cast<std::uint64_t>(value) & mask(bits(type)), 0};
}

// The largest finite number of a type, and its smallest one above 0.
struct Extremes {
  Bits largest, smallest;
};

Extremes extremes_of(ElementType type) noexcept {
  const FloatFormat format = *float_format(type);
  const std::uint64_t smallest = format.is_signed ? 1 : 0;  // the pattern 0 of f8e8m0 is not zero
  return {{format.largest_finite, 0}, {smallest, 0}};
}

// Returns the error for a decimal that rounds to no number of the type.
Error out_of_range(ElementType type, std::string_view decimal) {
  const Extremes extremes = extremes_of(type);
  const std::string largest = element_to_text(type, extremes.largest);
  const std::string smallest = element_to_text(type, extremes.smallest);
  const bool has_zero = type != ElementType::f8e8m0;
  if (has_zero && is_below_one(decimal))
    return bad_element(excerpt(decimal) + " is too close to 0 for " + in(type) +
                       ", whose smallest number above 0 is " + smallest);
  return bad_element(excerpt(decimal) + " is out of the range of " + in(type) + ", " +
                     (has_zero ? "-" + largest : smallest) + " to " + largest);
}

Result<Bits> real_from_text(ElementType type, std::string_view spelling) {
  if (!is_decimal(spelling))
    return bad_element("expected a decimal or 0x bits for " + in(type) + ", found " +
                       (spelling.empty() ? "nothing" : excerpt(spelling)));
  if (type == ElementType::f32) {
    if (const auto value = float_from_decimal(spelling)) return Bits{std::bit_cast<std::uint32_t>(*value), 0};
  } else if (type == ElementType::f64) {
    if (const auto value = double_from_decimal(spelling))
      return Bits{std::bit_cast<std::uint64_t>(*value), 0};
  } else if (const auto pattern = narrow_from_decimal(*float_format(type), spelling)) {
    return Bits{*pattern, 0};
  }
  return out_of_range(type, spelling);
}

void append_real(std::string& text, ElementType type, Bits value) {
  if (!is_finite(*float_format(type), value.low)) return append_hex(text, type, value);
  if (type == ElementType::f64) return append_decimal(text, std::bit_cast<double>(value.low));
  const auto pattern = static_cast<std::uint32_t>(value.low);
  if (type == ElementType::f32) return append_decimal(text, std::bit_cast<float>(pattern));
  append_narrow_decimal(text, type, pattern);
}

}  // namespace

Result<Tensor::Bits> element_from_text(ElementType type, std::string_view spelling) {
  if (spelling.starts_with("0x")) return bits_from_hex(type, spelling);
  const int width = bits(type);
  if (type == ElementType::boolean) return integer_from_text<std::uint64_t>(type, spelling, 0, 1);
  if (is_unsigned_integer(type)) return integer_from_text<std::uint64_t>(type, spelling, 0, mask(width));
  if (is_signed_integer(type)) {
    const auto most = static_cast<std::int64_t>(mask(width - 1));
    return integer_from_text<std::int64_t>(type, spelling, -most - 1, most);
  }
  if (is_real(type) && type != ElementType::nf4) return real_from_text(type, spelling);
  return bad_element(in(type) + " is spelled as bits, 0x and " + std::to_string(hex_digits(type)) +
                     " hexadecimal digits, not " + excerpt(spelling));
}

void append_element(std::string& text, ElementType type, Tensor::Bits value) {
  const int width = bits(type);
  if (is_unsigned_integer(type) || (type == ElementType::boolean && value.low <= 1)) {
    append_integer(text, value.low & mask(width));
  } else if (is_signed_integer(type)) {
    const int unused = 64 - width;
    append_integer(text, static_cast<std::int64_t>(value.low << unused) >> unused);
  } else if (is_real(type) && type != ElementType::nf4) {
    append_real(text, type, value);
  } else {
    append_hex(text, type, value);
  }
}

std::string element_to_text(ElementType type, Tensor::Bits value) {
  std::string text;
  append_element(text, type, value);
  return text;
}

}  // namespace certile
