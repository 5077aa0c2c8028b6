#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "conformance/ask/process/host.hpp"
#include "conformance/text/command_line.hpp"
#include "conformance/text/terminal.hpp"
#include "conformance/text/version.hpp"
#include "property_tests/command.hpp"
#include "property_tests/keep.hpp"

namespace certile::property_tests {
namespace {

struct CommandLine {
  CLI::App app{
      "certile-properties looks for cases that an implementation of Tile gets wrong, and makes them simple.",
      "certile-properties"};
  PropertiesOptions options;
  double seconds = 2;
  std::string corpus;
  bool list = false;

  CommandLine() {
    options.search.seed = std::random_device{}();
    app.add_option("BACKEND", options.backend, "A built-in name (see `certile list`) or ./PATH.so")
        ->type_name("");
    app.add_option_function<std::vector<std::string>>(
           "--property",
           [this](const std::vector<std::string>& names) {
             for (const std::string& name : names) {
               const Property* property = property_named(name);
               if (property == nullptr)
                 throw CLI::ValidationError("--property",
                                            "there is no '" + name + "'; --list shows what there is");
               options.properties.push_back(property);
             }
           },
           "Only this property; may be repeated")
        ->allow_extra_args(false)
        ->type_name("NAME");
    app.add_option("--case", options.literals, "Examine this case instead of random ones; may be repeated")
        ->allow_extra_args(false)
        ->type_name("LITERAL");
    app.add_option("--seed", options.search.seed,
                   "The same seed gives the same cases; else another one each time")
        ->check(conformance::whole_number())
        ->type_name("NUMBER");
    app.add_option("--cases", options.search.cases, "Number of cases for each property")
        ->check(CLI::Range(1, 1'000'000'000).description(""))
        ->type_name("NUMBER")
        ->capture_default_str();
    app.add_option("--max-size", options.search.max_size,
                   "How large cases become: 100 is some 40 KiB of output")
        ->check(CLI::Range(1, 1000).description(""))
        ->type_name("NUMBER")
        ->capture_default_str();
    app.add_option("--time-limit", seconds, "How long one call may take")
        ->check(CLI::Range(0.001, 1e6).description(""))
        ->type_name("SECONDS")
        ->capture_default_str();
    app.add_option(
           "--save", corpus,
           "Append counterexamples to this corpus; without a FILE, to the source tree's regressions.tile")
        ->expected(0, 1)
        ->type_name("[FILE]");
    app.add_flag("--list", list, "Show the properties");
    app.footer(
        "Exit codes: 0 every property holds, 1 one is broken, 2 wrong command line or unreadable file, 3 "
        "certile "
        "itself\nfailed, 4 the backend could not be loaded or started, 5 nothing was examined, 130 "
        "interrupted.");
  }

  int execute() {
    if (list) {
      for (const Property& property : all_properties())
        std::cout << property.name << std::string(22 - property.name.size(), ' ') << property.sentence
                  << '\n';
      return exit_conformant;
    }
    if (options.backend.empty())
      return fail("BACKEND is missing: a built-in name, or the path of a shared library", exit_bad_command);
    if (app.count("--save") > 0) {
      options.corpus = corpus.empty() ? corpus_of_source_tree() : corpus;
      if (options.corpus.empty())
        return fail("--save without a FILE works inside certile's source tree alone; name a corpus",
                    exit_bad_command);
    }
    options.isolate.time_limit = static_cast<int>(seconds * 1000);
    conformance::watch_for_interrupts();
    return properties_command(options, std::cout, std::cerr);
  }

  static int fail(const std::string& sentence, int code) {
    std::cerr << "certile-properties: " << sentence << std::endl;
    return code;
  }
};

int command_line(int argument_count, char** arguments) {
  std::ios::sync_with_stdio(false);
  try {
    CommandLine line;
    std::optional<int> code;
    try {
      line.app.parse(argument_count, arguments);
    } catch (const CLI::ParseError& problem) {
      const std::vector<std::string> words(arguments + 1, arguments + argument_count);
      if (problem.get_exit_code() != 0)
        return CommandLine::fail(conformance::sentence_about(line.app, problem, words), exit_bad_command);
      line.app.exit(problem, std::cout, std::cerr);
      code = exit_conformant;
    }
    if (!code) code = line.execute();
    if (std::cout.flush()) return *code;
    return CommandLine::fail("the results could not be written to standard output", exit_bad_command);
  } catch (const std::exception& failure) {
    return CommandLine::fail(failure.what(), exit_own_failure);
  }
}

}  // namespace
}  // namespace certile::property_tests

int main(int argument_count, char** arguments) {
  // This process is the host of a backend.
  if (const auto code = certile::conformance::run_as_own_process(argument_count, arguments)) return *code;
  certile::conformance::hold_standard_streams();
  return certile::property_tests::command_line(argument_count, arguments);
}
