#pragma once
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "conformance/text/printable.hpp"
#include "conformance/text/suggestion.hpp"

namespace certile::conformance {

// Returns a check of an option's value: a number of 0 to `most` in decimal digits.  CLI11 alone would clamp a
// larger number.
inline CLI::Validator whole_number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  const auto check = [most](const std::string& text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    const bool good = read.ec == std::errc() && read.ptr == end && value <= most;
    return good ? std::string() : "'" + text + "' is no number from 0 to " + std::to_string(most);
  };
  return CLI::Validator(check, "");
}

// Adds the app and the commands below it that the words name, the last one last.
inline void add_asked(const CLI::App& app, std::vector<const CLI::App*>& asked) {
  asked.push_back(&app);
  for (const CLI::App* command : app.get_subcommands())
    add_asked(*command, asked);
}

// Returns one sentence about words that the app could not parse: the first that should be a command or an
// option and is none, with the closest name, because the library says no more than that it is not expected;
// else the library's sentence.
inline std::string sentence_about(const CLI::App& app, const CLI::ParseError& problem,
                                  const std::vector<std::string>& words) {
  std::vector<const CLI::App*> asked;
  add_asked(app, asked);
  std::string help;
  for (const CLI::App* each : asked)
    help += each->get_name() + " ";
  help += "--help says more";
  std::vector<std::string> commands, options;
  for (const CLI::App* each : app.get_subcommands({}))
    commands.push_back(each->get_name());
  if (app.get_require_subcommand_min() > 0 && !words.empty() && !words.front().starts_with('-') &&
      std::ranges::find(commands, words.front()) == commands.end()) {
    const std::string meant = suggestion(words.front(), commands);
    return "there is no command '" + printable(words.front()) + "'" + meant +
           (meant.empty() ? "; there are " : " There are ") + joined(commands, ", ");
  }
  for (const CLI::App* each : asked)
    for (const CLI::Option* option : each->get_options())
      for (const std::string& name : option->get_lnames())
        options.push_back("--" + name);
  for (const std::string& word : words) {
    if (word == "--") break;
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || std::ranges::find(options, name) != options.end()) continue;
    const std::string meant = suggestion(name, options);
    return "there is no option '" + printable(name) + "'" + meant + (meant.empty() ? "; " : " ") + help;
  }
  return std::string(problem.what()) + "; " + help;
}

}  // namespace certile::conformance
