#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace certile::conformance {

// A column of whole numbers as text: each number in base 64, five bits a character, the lowest first, with
// the sixth bit set on all but its last character.  This is the form of numbers in source maps, but without a
// sign.
class Column {
 public:
  void add(std::uint64_t number);
  // Adds a number that may be negative, as twice its value, or as minus twice its value minus one.
  void add_signed(std::int64_t number);
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

// A table of texts, each stored once, which have numbers in the order of their arrival.
class TextTable {
 public:
  // Returns the number of the text.
  std::uint32_t number_of(std::string_view text);
  const std::vector<std::string_view>& texts() const noexcept { return texts_; }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;  // its keys do not move
  std::vector<std::string_view> texts_;
};

}  // namespace certile::conformance
