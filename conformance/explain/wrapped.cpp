#include "conformance/explain/wrapped.hpp"

#include <algorithm>
#include <sstream>

namespace certile::conformance {
namespace {

// Returns the number of characters, not of bytes: all bytes of UTF-8 but the continuations.
std::size_t characters_in(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' ');
  std::string out, line;
  const auto end_line = [&] {
    if (!line.empty()) out += margin + line + "\n";
    line.clear();
  };
  std::istringstream lines{std::string(text)};
  for (std::string given; std::getline(lines, given);) {
    const bool is_whole = given.starts_with(' ') || given.starts_with("* ");
    if (given.empty() || is_whole) end_line();
    if (given.empty()) out += '\n';
    if (given.starts_with(' ')) {
      out += margin + given + "\n";
      continue;
    }
    std::istringstream words(given);
    for (std::string word; words >> word;) {
      if (!line.empty() && indent + characters_in(line) + 1 + characters_in(word) > width) end_line();
      line += (line.empty() ? "" : " ") + word;
    }
  }
  end_line();
  return out;
}

}  // namespace certile::conformance
