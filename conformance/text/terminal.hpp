#pragma once
#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "conformance/text/printable.hpp"
#include "conformance/text/suggestion.hpp"

namespace certile::conformance {

// The exit codes of the program.
enum ExitCode : int {
  exit_conformant = 0,
  exit_not_conformant = 1,
  exit_bad_command = 2,  // wrong command line, unreadable or unwritable file
  exit_own_failure = 3,  // certile itself failed
  exit_not_loaded = 4,   // a backend could not be loaded or started
  exit_nothing_run = 5,
  exit_interrupted = 130,
};

// Returns the exit code for several backends: the first of 130, 3, 4, 1, 5, 0 that occurred.
int graver(int left, int right) noexcept;

// Returns a flag that is set once the user asks to stop (SIGINT, SIGTERM).  A second request ends the program
// at once.
const std::atomic<bool>& interrupted();

// Makes such a request set `interrupted()` from now on, and turns signals that would end the program during a
// write (SIGPIPE, SIGXFSZ) into errors of that write.
void watch_for_interrupts();

// Opens /dev/null for each of the descriptors 0 to 2 that is closed, so that no file opened later gets its
// number and the output printed to it.  Reading and writing there fail, as they did before.
void hold_standard_streams() noexcept;

// Returns true if the descriptor is a terminal that understands escape sequences: not one with TERM=dumb.
bool is_terminal(int descriptor) noexcept;

// Returns true if text to this descriptor may have colours: it is a terminal, and NO_COLOR is not set.
bool wants_colour(int descriptor) noexcept;

// Returns the number of columns of the terminal, at least 60; `otherwise` if the descriptor is none.
std::size_t columns_of(int descriptor, std::size_t otherwise) noexcept;

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
