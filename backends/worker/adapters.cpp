#include "backends/worker/adapters.hpp"

#include <algorithm>
#include <span>

#include "reference/values/embedded.hpp"

namespace certile::backends {

std::span<const EmbeddedFile> embedded_adapters();

namespace {

struct Adapter {
  std::string_view name, script;
};

// Returns the text up to the next `end`, and takes both off `rest`.
std::string_view take_until(std::string_view& rest, char end) {
  const std::string_view taken = rest.substr(0, rest.find(end));
  rest.remove_prefix(std::min(rest.size(), taken.size() + 1));
  return taken;
}

// Reads the lines `adapter NAME ENVIRONMENT SCRIPT [WORD...]` of the table.
std::vector<Adapter> read_adapters() {
  std::vector<Adapter> adapters;
  for (const EmbeddedFile& file : embedded_adapters()) {
    for (std::string_view rest = file.text; !rest.empty();) {
      std::string_view line = take_until(rest, '\n');
      if (take_until(line, ' ') != "adapter") continue;
      const std::string_view name = take_until(line, ' ');
      take_until(line, ' ');  // the environment
      adapters.push_back({name, line});
    }
  }
  return adapters;
}

}  // namespace

std::vector<std::string_view> adapter_names() {
  std::vector<std::string_view> names;
  for (const Adapter& each : read_adapters())
    names.push_back(each.name);
  return names;
}

std::string_view adapter_script(std::string_view name) {
  for (const Adapter& each : read_adapters())
    if (each.name == name) return each.script;
  return {};
}

}  // namespace certile::backends
