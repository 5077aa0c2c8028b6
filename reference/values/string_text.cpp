// Implements the functions of element_text.hpp for strings.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "reference/values/element_text.hpp"
#include "reference/values/excerpt.hpp"

namespace certile {
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

}  // namespace certile
