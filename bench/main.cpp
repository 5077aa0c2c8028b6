#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bench_command.hpp"
#include "bench/report/report.hpp"
#include "bench/run/count_calls.hpp"
#include "bench/run/suite.hpp"
#include "conformance/ask/process/host.hpp"
#include "conformance/text/command_line.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/shell_words.hpp"
#include "conformance/text/terminal.hpp"
#include "conformance/text/version.hpp"

namespace certile::bench {
namespace {

struct Commands {
  CLI::App app{
      "certile-bench times implementations of Tile, compared with the limits of this machine's memory.",
      "certile-bench"};
  CLI::App* count =
      app.add_subcommand("count", "Count the instructions of one call of each BACKEND on tiny cases");

  BenchOptions options;
  std::string json;  // where the run goes, besides what is printed
  bool verbose = false;
  std::vector<std::string> counted_backends, counted_literals;

  Commands() {
    app.set_version_flag("--version", std::string("certile-bench ") + conformance::version);
    app.footer(
        "BACKEND is a built-in name or a runtime's, the path of a shared library, which contains a '/', or\n"
        "worker:COMMAND; NAME=BACKEND shows it under that name.  Without one, every built-in backend is "
        "timed.\n"
        "A case is timed only after it passed: in the rig, or, above 32 MiB, by one call in another process\n"
        "whose every byte is compared.\n"
        "Pictures, comparisons of two runs and gates for CI are made of what --json writes, by Python:\n"
        "`python3 PREFIX/share/certile/bench --help`; in the source tree, ./dev bench or tools/bench.\n"
        "docs/benchmarking.md explains the figures, the regimes and the reference.\n"
        "Exit codes: 0 all is well, 1 a case failed, 2 wrong command line or unreadable file,\n"
        "3 certile-bench itself failed, 4 a backend could not be opened, 5 nothing was timed,\n"
        "130 interrupted.");
    add_what_is_timed();
    add_how();
    count
        ->add_option("BACKEND", counted_backends,
                     "Or `memset`, or `rules`: to check and plan the call, and move nothing")
        ->type_name("");
    count->add_option("--case", counted_literals, "A case instead of the usual ones; may be repeated")
        ->allow_extra_args(false)
        ->type_name("LITERAL");
  }

  // Adds an option that may be repeated and takes one value each time, so that the next word is a BACKEND.
  template <class Value>
  void add_repeated(const char* flag, std::vector<Value>& values, const char* word, const std::string& help) {
    app.add_option(flag, values, help)->allow_extra_args(false)->type_name(word);
  }

  void add_what_is_timed() {
    app.add_option("BACKEND", options.backends, "What to time")->type_name("");
    add_repeated("--suite", options.suites, "NAME",
                 "A suite (" + conformance::joined(built_in_suites(), ", ") +
                     ") or a FILE of case lines; may be repeated");
    add_repeated("--case", options.literals, "LITERAL", "This case; may be repeated");
    app.add_option("--random", options.random_cases, "Number of random cases")
        ->check(CLI::Range(1, 100'000).description(""))
        ->type_name("NUMBER");
    app.add_option("--seed", options.seed, "Of the random cases, and of the order of timing")
        ->check(conformance::whole_number())
        ->type_name("NUMBER")
        ->capture_default_str();
    app.add_option("--baseline", options.baseline,
                   "The BACKEND that ratios are taken to; it is timed as well")
        ->take_last()
        ->type_name("NAME");
  }

  void add_how() {
    app.add_option("--rounds", options.rounds,
                   "Number of rounds, each with one batch of everything in random order")
        ->check(CLI::Range(1, 10'000).description(""))
        ->type_name("NUMBER")
        ->take_last()
        ->capture_default_str();
    app.add_option("--budget", options.budget,
                   "What a backend may take on one case, hot or cold: slow ones get fewer calls and rounds")
        ->check(CLI::Range(0.001, 1e6).description(""))
        ->type_name("SECONDS")
        ->take_last()
        ->capture_default_str();
    app.add_flag("--hot", options.hot_only, "Only with warm caches; else both from 1 to 32 MiB");
    app.add_flag("--cold", options.cold_only, "Only with flushed caches");
    app.add_option(
           "--threads", options.limit_threads,
           "Thread counts to measure the machine's limits with, instead of 1 and all processors; may be "
           "repeated")
        ->check(CLI::Range(1, 1024).description(""))
        ->allow_extra_args(false)
        ->type_name("NUMBER");
    app.add_flag("-v,--verbose", verbose,
                 "After the answer, print a table of everything that was timed, 130 columns wide");
    app.add_option("--json", json, "Write the run as Google Benchmark's JSON")
        ->take_last()
        ->type_name("FILE");
  }

  int execute() {
    if (count->parsed()) return count_command(counted_backends, counted_literals, std::cout, std::cerr);
    const bool is_bare = options.backends.empty() && !options.baseline && options.suites.empty() &&
                         options.literals.empty() && options.random_cases == 0;
    if (is_bare) {  // everything takes minutes, so it is timed only if a word asks for it
      std::cerr << app.help() << "\ncertile-bench: name a BACKEND, or a --suite of every built-in backend\n";
      return exit_bad_command;
    }
    if (const auto can = json.empty() ? Done{} : conformance::check_place(json); !can) {
      std::cerr << "certile-bench: " << can.error().what << std::endl;
      return exit_bad_command;
    }
    conformance::watch_for_interrupts();
    const auto outcome = run_benchmarks(options, std::cerr);
    if (!outcome) {
      std::cerr << "certile-bench: " << outcome.error().what << std::endl;
      return exit_bad_command;
    }
    write_summary(std::cout, outcome->run, conformance::columns_of(STDOUT_FILENO, 80));
    if (verbose) {
      std::cout << '\n';
      write_table(std::cout, outcome->run, {.colour = conformance::wants_colour(STDOUT_FILENO)});
    }
    if (json.empty()) return outcome->exit_code;
    if (const auto written = write_json(json, outcome->run); !written) {
      std::cerr << "certile-bench: " << written.error().what << std::endl;
      return exit_bad_command;
    }
    return outcome->exit_code;
  }
};

// Returns the words as a shell would read them.
std::string typed(int argument_count, char** arguments) {
  std::string line = "certile-bench";
  for (int index = 1; index < argument_count; ++index)
    line += " " + conformance::quoted_for_shell(arguments[index]);
  return line;
}

int command_line(int argument_count, char** arguments) {
  try {
    Commands commands;
    commands.options.command = typed(argument_count, arguments);
    const std::vector<std::string> words(arguments + 1, arguments + argument_count);
    std::optional<int> code;
    try {
      commands.app.parse(argument_count, arguments);
    } catch (const CLI::ParseError& problem) {
      if (problem.get_exit_code() != 0) {
        std::cerr << "certile-bench: " << conformance::sentence_about(commands.app, problem, words)
                  << std::endl;
        return exit_bad_command;
      }
      commands.app.exit(problem, std::cout, std::cerr);
      code = exit_conformant;
    }
    if (!code) code = commands.execute();
    if (std::cout.flush()) return *code;
    std::cerr << "certile-bench: what was to be printed could not be written to standard output" << std::endl;
    return exit_bad_command;
  } catch (const std::exception& failure) {
    std::cerr << "certile-bench: " << failure.what() << std::endl;
    return exit_own_failure;
  }
}

}  // namespace
}  // namespace certile::bench

int main(int argument_count, char** arguments) {
  // The processes that judge and time backends are this program again.
  if (const auto code = certile::conformance::run_as_own_process(argument_count, arguments)) return *code;
  certile::conformance::hold_standard_streams();
  return certile::bench::command_line(argument_count, arguments);
}
