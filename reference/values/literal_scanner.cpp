#include "reference/values/literal_scanner.hpp"

#include <charconv>

namespace certile {

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 40;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  for (const char character : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0x20 && byte < 0x7f) {
      shown += character;
    } else {
      shown += "\\x";
      shown += digits[byte >> 4U];
      shown += digits[byte & 15U];
    }
  }
  if (text.size() > longest) shown += "...";
  return shown;
}

namespace {

bool is_digit(char character) noexcept {
  return character >= '0' && character <= '9';
}

bool is_lower(char character) noexcept {
  return character >= 'a' && character <= 'z';
}

bool is_name(char character) noexcept {
  return is_lower(character) || is_digit(character);
}

bool is_hyphenated_name(char character) noexcept {
  return is_name(character) || character == '-';
}

bool is_number(char character) noexcept {
  return is_hyphenated_name(character) || (character >= 'A' && character <= 'Z') || character == '+' ||
         character == '.';
}

std::string_view prefix_of(std::string_view text, bool (*belongs)(char) noexcept) noexcept {
  std::size_t size = 0;
  while (size < text.size() && belongs(text[size]))
    ++size;
  return text.substr(0, size);
}

}  // namespace

bool LiteralScanner::take(char wanted) noexcept {
  if (at_end() || text_[position_] != wanted) return false;
  ++position_;
  return true;
}

bool LiteralScanner::take(std::string_view wanted) noexcept {
  if (!rest().starts_with(wanted)) return false;
  position_ += wanted.size();
  return true;
}

void LiteralScanner::skip_spaces() noexcept {
  while (take(' ')) {
  }
}

std::string_view LiteralScanner::take_name() noexcept {
  const std::string_view taken = prefix_of(rest(), is_name);
  position_ += taken.size();
  return taken;
}

std::string_view LiteralScanner::take_hyphenated_name() noexcept {
  const std::string_view taken = prefix_of(rest(), is_hyphenated_name);
  position_ += taken.size();
  return taken;
}

std::string_view LiteralScanner::take_number() noexcept {
  const std::string_view taken = prefix_of(rest(), is_number);
  position_ += taken.size();
  return taken;
}

Result<std::string_view> LiteralScanner::take_string() {
  const std::size_t begin = position_;
  if (!take('"')) return expected("a string");
  while (!at_end()) {
    if (take('"')) return text_.substr(begin, position_ - begin);
    // A character after a backslash does not end the string.
    position_ += peek() == '\\' && position_ + 1 < text_.size() ? 2 : 1;
  }
  return at(begin, "the string that begins here does not end");
}

Result<std::uint64_t> LiteralScanner::take_integer(std::string_view what, std::uint64_t least,
                                                   std::uint64_t most) {
  const std::string_view digits = prefix_of(rest(), is_digit);
  std::uint64_t value = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.size() > 1 && digits[0] == '0') return at(position_, "a number has no leading zeros");
  if (digits.empty() || end.ec != std::errc{} || value < least || value > most)
    return expected(std::string(what) + " from " + std::to_string(least) + " to " + std::to_string(most));
  position_ += digits.size();
  return value;
}

std::string LiteralScanner::found() const {
  if (at_end()) return "the end";
  const char next = peek();
  if (next == ' ') return "a space";
  std::string_view shown = prefix_of(rest(), is_number);
  if (shown.empty()) shown = rest().substr(0, 1);
  return '"' + excerpt(shown) + '"';
}

Error LiteralScanner::expected(std::string_view what) const {
  return at(position_, "expected " + std::string(what) + ", found " + found());
}

Error LiteralScanner::at(std::size_t position, std::string_view sentence) {
  return {Error::Code::bad_literal, "column " + std::to_string(position + 1) + ": " + std::string(sentence)};
}

}  // namespace certile
