#include "conformance/ask/wire/control_block.hpp"

#include <algorithm>
#include <sstream>

namespace certile::conformance {

void WrittenFiles::note(std::string_view path, bool was_refused) noexcept {
  const std::size_t length = path.size() + 2;  // the sign and the end of the line
  for (std::uint32_t used = used_.load(); used + length <= room;) {
    const std::string_view before(text_.data(), used);
    for (std::size_t at = before.find(path); at != std::string_view::npos; at = before.find(path, at + 1))
      if (at > 0 && before[at - 1] == (was_refused ? '-' : '+') && before.substr(at + path.size(), 1) == "\n")
        return;
    if (!used_.compare_exchange_weak(used, used + static_cast<std::uint32_t>(length))) continue;
    text_[used] = was_refused ? '-' : '+';
    std::ranges::copy(path, text_.begin() + used + 1);
    text_[used + length - 1] = '\n';
    return;
  }
}

std::set<std::string> WrittenFiles::lines() const {
  std::istringstream text(std::string(text_.data(), std::min<std::size_t>(used_.load(), room)));
  std::set<std::string> found;
  for (std::string line; std::getline(text, line);)
    if (line.size() > 1 && (line[0] == '+' || line[0] == '-')) found.insert(line);
  return found;
}

}  // namespace certile::conformance
