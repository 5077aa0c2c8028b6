#include "backends/worker/adapters.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "reference/values/embedded.hpp"

namespace certile::backends {

std::span<const EmbeddedFile> embedded_adapters();

namespace {

// Returns the text up to the next `end`, and takes both off `rest`.
std::string_view take_until(std::string_view& rest, char end) {
  const std::string_view taken = rest.substr(0, rest.find(end));
  rest.remove_prefix(std::min(rest.size(), taken.size() + 1));
  return taken;
}

// Reads the table; a line `adapter NAME ENVIRONMENT SCRIPT [WORD...]` is behind the line
// `environment NAME DISK DOWNLOAD MODULE REQUIREMENT...` of its environment.
std::vector<Adapter> read_adapters() {
  std::vector<Adapter> adapters;
  std::vector<std::pair<std::string_view, std::string_view>> modules;  // by environment
  for (const EmbeddedFile& file : embedded_adapters()) {
    for (std::string_view rest = file.text; !rest.empty();) {
      std::string_view line = take_until(rest, '\n');
      const std::string_view kind = take_until(line, ' ');
      if (kind != "environment" && kind != "adapter") continue;
      const std::string_view name = take_until(line, ' ');
      if (kind == "environment") {
        take_until(line, ' ');  // the disk
        take_until(line, ' ');  // the download
        modules.emplace_back(name, take_until(line, ' '));
        continue;
      }
      Adapter adapter{name, take_until(line, ' '), {}, line};
      for (const auto& [environment, module] : modules)
        if (environment == adapter.environment) adapter.module = module;
      adapters.push_back(adapter);
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

std::optional<Adapter> find_adapter(std::string_view name) {
  for (const Adapter& each : read_adapters())
    if (each.name == name) return each;
  return std::nullopt;
}

}  // namespace certile::backends
