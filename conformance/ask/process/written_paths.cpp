#include "conformance/ask/process/written_paths.hpp"

#include <cstddef>
#include <utility>

#include "conformance/text/printable.hpp"

namespace certile::conformance {

void WrittenPaths::add(const WrittenFiles& files, const std::string& private_folder) {
  const std::lock_guard lock(mutex_);
  for (std::string line : files.lines()) {
    if (!private_folder.empty() && line.compare(1, private_folder.size(), private_folder) == 0)
      line.replace(1, private_folder.size(), "$HOME");
    lines_.insert(std::move(line));
  }
}

std::string WrittenPaths::in_words(bool refused) const {
  constexpr std::size_t shown = 3;
  const std::lock_guard lock(mutex_);
  std::string words;
  std::size_t count = 0;
  for (const std::string& line : lines_)
    if (line[0] == (refused ? '-' : '+') && ++count <= shown)
      words += (words.empty() ? "" : ", ") + printable(line.substr(1));
  return count <= shown ? words : words + " and " + std::to_string(count - shown) + " more";
}

}  // namespace certile::conformance
