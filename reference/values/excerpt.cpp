#include "reference/values/excerpt.hpp"

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

}  // namespace certile
