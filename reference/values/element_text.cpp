#include "reference/values/element_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "reference/values/float_text.hpp"
#include "reference/values/literal_scanner.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

namespace {

std::uint64_t pattern_at(const TensorView& tensor, std::int64_t index) noexcept {
  const auto at = static_cast<std::size_t>(index);
  if (is_packed(tensor.type)) return packed_element(tensor.type, tensor.bytes, at);
  const auto width = static_cast<std::size_t>(bits(tensor.type)) / 8;
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, tensor.bytes.data() + at * width, width);
  return pattern;
}

double half_to_double(std::uint64_t pattern) noexcept {
  const auto exponent = static_cast<int>((pattern >> 10) & 0x1f);
  const auto fraction = static_cast<double>(pattern & 0x3ff);
  double magnitude = 0;
  if (exponent == 0x1f)
    magnitude =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  return (pattern & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

RepeatCount integer_at(const TensorView& tensor, std::int64_t index) noexcept {
  const std::uint64_t pattern = pattern_at(tensor, index);
  if ((pattern >> 63) != 0 && is_unsigned_integer(tensor.type))
    return {std::numeric_limits<std::int64_t>::max(), true};
  if (is_unsigned_integer(tensor.type)) return {static_cast<std::int64_t>(pattern), false};
  const int unused = 64 - bits(tensor.type);  // copies the sign bit into all bits above
  return {static_cast<std::int64_t>(pattern << unused) >> unused, false};
}

double real_at(const TensorView& tensor, std::int64_t index) noexcept {
  const std::uint64_t pattern = pattern_at(tensor, index);
  switch (tensor.type) {
    case ElementType::f16:
      return half_to_double(pattern);
    case ElementType::f32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
    default:
      return std::bit_cast<double>(pattern);
  }
}

std::optional<RepeatCount> number_at(const TensorView& tensor, std::int64_t index) noexcept {
  using enum ElementType;
  if (is_integer(tensor.type) || tensor.type == boolean) return integer_at(tensor, index);
  if (tensor.type != f16 && tensor.type != f32 && tensor.type != f64) return std::nullopt;
  const double number = real_at(tensor, index);
  if (!std::isfinite(number) || number != std::trunc(number)) return std::nullopt;
  return whole_number(number);
}

std::vector<std::optional<RepeatCount>> numbers_in(const Tensor& operand) {
  const std::int64_t count = operand.count();
  std::vector<std::optional<RepeatCount>> numbers;
  numbers.reserve(static_cast<std::size_t>(count));
  for (std::int64_t index = 0; index < count; ++index)
    numbers.push_back(number_at(operand.view(), index));
  return numbers;
}

RepeatCount whole_number(double number) noexcept {
  constexpr double two_to_the_63 = 9223372036854775808.0;
  if (number >= two_to_the_63) return {std::numeric_limits<std::int64_t>::max(), true};
  if (number < -two_to_the_63) return {std::numeric_limits<std::int64_t>::min(), false};
  return {static_cast<std::int64_t>(number), false};
}

// Implements the functions of element_text.hpp for strings.

namespace {

constexpr std::string_view hex = "0123456789abcdef";

Error bad_string(std::string sentence) {
  return {Error::Code::bad_literal, std::move(sentence)};
}

std::optional<std::uint32_t> hex_value(std::string_view digits) noexcept {
  std::uint32_t value = 0;
  for (const char digit : digits) {
    const char lower = digit >= 'A' && digit <= 'F' ? static_cast<char>(digit - 'A' + 'a') : digit;
    const std::size_t found = hex.find(lower);
    if (found == std::string_view::npos) return std::nullopt;
    value = value << 4U | static_cast<std::uint32_t>(found);
  }
  return value;
}

Result<std::string> string_from_hex(std::string_view spelling) {
  const std::string_view digits = spelling.substr(2);
  std::string characters;
  characters.reserve(digits.size() / 2);
  for (std::size_t position = 0; position < digits.size(); position += 2) {
    const std::optional<std::uint32_t> byte = hex_value(digits.substr(position, 2));
    if (!byte || digits.size() % 2 != 0)
      return bad_string("the bytes of a string are 0x and pairs of hexadecimal digits, not " +
                        excerpt(spelling));
    characters += static_cast<char>(*byte);
  }
  if (digits.empty())
    return bad_string("the bytes of a string are 0x and pairs of hexadecimal digits, not 0x");
  return characters;
}

bool is_high_surrogate(std::uint32_t unit) noexcept {
  return unit >= 0xd800 && unit < 0xdc00;
}

bool is_low_surrogate(std::uint32_t unit) noexcept {
  return unit >= 0xdc00 && unit < 0xe000;
}

// Returns the four digits of \uXXXX at the front of `text` as a number.
std::optional<std::uint32_t> unicode_escape(std::string_view text) noexcept {
  if (!text.starts_with("\\u") || text.size() < 6) return std::nullopt;
  return hex_value(text.substr(2, 4));
}

// Reads the escape at the front of `text`, appends its character, and returns its length.
Result<std::size_t> take_escape(std::string_view text, std::string& characters) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  const std::size_t letter = text.size() < 2 ? std::string_view::npos : letters.find(text[1]);
  if (letter != std::string_view::npos) {
    characters += meanings[letter];
    return std::size_t{2};
  }
  const std::optional<std::uint32_t> unit = unicode_escape(text);
  if (!unit) return bad_string("a string has no escape " + excerpt(text.substr(0, 6)));
  if (!is_high_surrogate(*unit) && !is_low_surrogate(*unit)) {
    append_utf8(characters, *unit);
    return std::size_t{6};
  }
  const std::optional<std::uint32_t> second = unicode_escape(text.substr(6));
  if (!is_high_surrogate(*unit) || !second || !is_low_surrogate(*second))
    return bad_string("the escape " + std::string(text.substr(0, 6)) + " is half of a surrogate pair");
  append_utf8(characters, 0x10000 + ((*unit - 0xd800) << 10U) + (*second - 0xdc00));
  return std::size_t{12};
}

// The code point at the front of a text, and its number of bytes; nothing if the text is not UTF-8.
struct CodePoint {
  std::uint32_t value;
  std::size_t size;
};
std::optional<CodePoint> code_point(std::string_view text) noexcept {
  const auto byte = [&](std::size_t index) { return static_cast<std::uint32_t>(text[index]) & 0xffU; };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return CodePoint{first, 1};
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc0 || first >= 0xf8 || text.size() < size) return std::nullopt;
  std::uint32_t value = first & (0x7fU >> size);
  for (std::size_t index = 1; index < size; ++index) {
    if ((byte(index) & 0xc0U) != 0x80U) return std::nullopt;
    value = value << 6U | (byte(index) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = is_high_surrogate(value) || is_low_surrogate(value);
  if (value < least[size] || value > 0x10ffff || is_surrogate) return std::nullopt;
  return CodePoint{value, size};
}

std::string hex_of(std::string_view characters) {
  std::string text = "0x";
  for (const char character : characters) {
    const auto byte = static_cast<unsigned char>(character);
    text += hex[byte >> 4U];
    text += hex[byte & 15U];
  }
  return text;
}

void append_unicode_escape(std::string& text, std::uint32_t unit) {
  text += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U})
    text += hex[(unit >> shift) & 15U];
}

void append_escaped(std::string& text, std::uint32_t point) {
  if (point == '"' || point == '\\') {
    text += '\\';
    text += static_cast<char>(point);
  } else if (point >= 0x20 && point < 0x7f && point != '\'') {
    text += static_cast<char>(point);
  } else if (point < 0x10000) {
    append_unicode_escape(text, point);
  } else {
    append_unicode_escape(text, 0xd800 + ((point - 0x10000) >> 10U));
    append_unicode_escape(text, 0xdc00 + ((point - 0x10000) & 0x3ffU));
  }
}

}  // namespace

void append_utf8(std::string& characters, std::uint32_t character) {
  const auto tail = [&](unsigned shift) {
    characters += static_cast<char>(0x80U | ((character >> shift) & 0x3fU));
  };
  if (character < 0x80) {
    characters += static_cast<char>(character);
  } else if (character < 0x800) {
    characters += static_cast<char>(0xc0U | character >> 6U);
    tail(0);
  } else if (character < 0x10000) {
    characters += static_cast<char>(0xe0U | character >> 12U);
    tail(6);
    tail(0);
  } else {
    characters += static_cast<char>(0xf0U | character >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
}

bool is_utf8(std::string_view characters) noexcept {
  while (!characters.empty()) {
    const std::optional<CodePoint> next = code_point(characters);
    if (!next) return false;
    characters.remove_prefix(next->size);
  }
  return true;
}

Result<std::string> string_from_text(std::string_view spelling) {
  if (spelling.starts_with("0x")) return string_from_hex(spelling);
  if (spelling.size() < 2 || spelling.front() != '"' || spelling.back() != '"')
    return bad_string("a string is spelled in double quotes or as 0x bytes, not " +
                      (spelling.empty() ? "as nothing" : excerpt(spelling)));
  const std::string_view inner = spelling.substr(1, spelling.size() - 2);
  std::string characters;
  characters.reserve(inner.size());
  for (std::size_t position = 0; position < inner.size();) {
    const std::string_view next = inner.substr(position, 1);
    if (next == "\\") {
      const Result<std::size_t> taken = take_escape(inner.substr(position), characters);
      if (!taken) return taken.error();
      position += *taken;
      continue;
    }
    const auto byte = static_cast<unsigned char>(next[0]);
    if (byte < 0x20 || byte >= 0x7f || byte == '\'' || byte == '"') {
      std::string sentence = "the character " + excerpt(next) + " of a string needs an escape, as in ";
      append_unicode_escape(sentence, byte);
      return bad_string(std::move(sentence));
    }
    characters += next;
    ++position;
  }
  return characters;
}

std::string string_to_text(std::string_view characters) {
  std::string text = "\"";
  for (std::string_view rest = characters; !rest.empty();) {
    const std::optional<CodePoint> next = code_point(rest);
    if (!next) return hex_of(characters);
    append_escaped(text, next->value);
    rest.remove_prefix(next->size);
  }
  text += '"';
  return text;
}

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
