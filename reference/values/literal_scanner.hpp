#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "reference/values/result.hpp"

namespace certile {

// Returns the beginning of an untrusted text, fit for a message: at most 40 characters and then "...", bytes
// outside printable ASCII as \xNN.
std::string excerpt(std::string_view text);

// A scanner of a literal, from left to right, that counts columns and never reads past the end.
class LiteralScanner {
 public:
  explicit LiteralScanner(std::string_view text) noexcept : text_(text) {}

  std::size_t position() const noexcept { return position_; }
  bool at_end() const noexcept { return position_ == text_.size(); }
  // Returns the next character; NUL at the end.
  char peek() const noexcept { return at_end() ? '\0' : text_[position_]; }
  std::string_view rest() const noexcept { return text_.substr(position_); }

  // Moves past `wanted` and returns true if it comes next.
  bool take(char wanted) noexcept;
  bool take(std::string_view wanted) noexcept;
  void skip_spaces() noexcept;

  // Takes the longest run, perhaps empty, of lower-case letters and digits.
  std::string_view take_name() noexcept;
  // Takes the longest run, perhaps empty, of lower-case letters, digits and hyphens.
  std::string_view take_hyphenated_name() noexcept;
  // Takes the longest run of the characters of numbers: letters, digits, + - and the point.
  std::string_view take_number() noexcept;
  // Takes a JSON string with its quotes, without checking more than its end.
  Result<std::string_view> take_string();
  // Takes a decimal without sign or leading zeros, from `least` to `most`; an error calls it `what`.
  Result<std::uint64_t> take_integer(std::string_view what, std::uint64_t least, std::uint64_t most);

  // Returns the error "column 7: expected WHAT, found …" about the next character.
  Error expected(std::string_view what) const;
  // Returns the error "column 7: SENTENCE" about the text that begins at `position`.
  static Error at(std::size_t position, std::string_view sentence);

 private:
  std::string found() const;

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace certile
