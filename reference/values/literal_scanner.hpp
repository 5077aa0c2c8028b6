#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "reference/values/result.hpp"

namespace certile {

// Walks a literal from left to right and knows the column of everything.  It never reads past the end.
class LiteralScanner {
 public:
  explicit LiteralScanner(std::string_view text) noexcept : text_(text) {}

  std::size_t position() const noexcept { return position_; }
  bool at_end() const noexcept { return position_ == text_.size(); }
  // The next character; NUL at the end.
  char peek() const noexcept { return at_end() ? '\0' : text_[position_]; }
  std::string_view rest() const noexcept { return text_.substr(position_); }

  // Moves past `wanted` when it comes next.
  bool take(char wanted) noexcept;
  bool take(std::string_view wanted) noexcept;
  void skip_spaces() noexcept;

  // The longest run, perhaps empty, of lower-case letters and digits.
  std::string_view take_name() noexcept;
  // The same with hyphens.
  std::string_view take_hyphenated_name() noexcept;
  // The longest run of what numbers are made of: letters, digits, + - and the point.
  std::string_view take_number() noexcept;
  // A JSON string with its quotes; only its end is looked for.
  Result<std::string_view> take_string();
  // A decimal without sign or leading zeros, from `least` to `most`; `what` names it in the error.
  Result<std::uint64_t> take_integer(std::string_view what, std::uint64_t least, std::uint64_t most);

  // "column 7: expected WHAT, found …": about what comes next.
  Error expected(std::string_view what) const;
  // "column 7: SENTENCE": about what begins at `position`.
  static Error at(std::size_t position, std::string_view sentence);

 private:
  std::string found() const;

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace certile
