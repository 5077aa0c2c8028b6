#include "conformance/cli/unknown_command.hpp"

#include <algorithm>
#include <vector>

#include "conformance/text/printable.hpp"
#include "conformance/text/suggestion.hpp"

namespace certile::conformance {

std::optional<std::string> unknown_command(const CLI::App& app, int argument_count, char** arguments) {
  const std::string word = argument_count > 1 ? arguments[1] : "";
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands({}))
    names.push_back(each->get_name());
  if (word.empty() || word.front() == '-' || std::ranges::find(names, word) != names.end())
    return std::nullopt;
  const std::string meant = suggestion(word, names);
  return "there is no command '" + printable(word) + "'" + meant +
         (meant.empty() ? "; there are " : " There are ") + joined(names, ", ");
}

}  // namespace certile::conformance
