#include "backends/worker/adapters.hpp"

#include <span>

#include "reference/values/embedded.hpp"

namespace certile::backends {

std::span<const EmbeddedFile> embedded_adapters();

std::vector<std::string_view> adapter_names() {
  constexpr std::string_view keyword = "adapter ";
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : embedded_adapters()) {
    for (std::string_view rest = file.text; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(line.size() == rest.size() ? line.size() : line.size() + 1);
      if (!line.starts_with(keyword)) continue;
      const std::string_view words = line.substr(keyword.size());
      names.push_back(words.substr(0, words.find(' ')));
    }
  }
  return names;
}

}  // namespace certile::backends
