#include "conformance/plan/witnesses.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>

#include "reference/values/embedded.hpp"

namespace certile::conformance {

// Returns the files of plan/witnesses/, embedded by CMakeLists.txt.
std::span<const EmbeddedFile> embedded_witnesses();

namespace {

std::unordered_set<std::string_view> all_lines() {
  std::unordered_set<std::string_view> lines;
  for (const EmbeddedFile& file : embedded_witnesses()) {
    std::string_view text = file.text;
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (!line.empty() && line.front() != '#') lines.insert(line);
    }
  }
  return lines;
}

}  // namespace

bool is_witness(std::string_view literal) {
  static const std::unordered_set<std::string_view> listed = all_lines();
  return listed.contains(literal);
}

}  // namespace certile::conformance
