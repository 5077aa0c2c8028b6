#include "conformance/text/caret.hpp"

#include <algorithm>
#include <charconv>

#include "conformance/text/printable.hpp"

namespace certile::conformance {

std::string with_caret(const std::string& sentence, std::string_view text) {
  constexpr std::string_view word = "column ", margin = "  ";
  constexpr std::size_t most_on_each_side = 60;
  if (!sentence.starts_with(word)) return sentence;
  std::size_t column = 0;
  std::from_chars(sentence.data() + word.size(), sentence.data() + sentence.size(), column);
  if (column == 0) return sentence;
  // The column counts bytes, and what is printed may have more or fewer characters.
  const std::size_t at = std::min(column - 1, text.size());
  const std::string before = printable(text.substr(0, at)), after = printable(text.substr(at));
  const std::string start = shortened_around(before, before.size(), most_on_each_side);
  const auto characters = std::ranges::count_if(
      start, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; });
  return sentence + "\n" + std::string(margin) + start + shortened(after, most_on_each_side) + "\n" +
         std::string(margin) + std::string(static_cast<std::size_t>(characters), ' ') + "^";
}

}  // namespace certile::conformance
