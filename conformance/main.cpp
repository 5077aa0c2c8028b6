#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "conformance/commands/certify_command.hpp"
#include "conformance/commands/exit_code.hpp"
#include "conformance/commands/interrupt.hpp"
#include "conformance/commands/list_command.hpp"
#include "conformance/commands/run_command.hpp"
#include "conformance/commands/version.hpp"
#include "conformance/isolation/host.hpp"
#include "conformance/oracle_command.hpp"

namespace certile {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

// What `run` and `certify` share.
struct Limits {
  double seconds = 10;
  std::uint64_t mebibytes = 4096;

  void add_to(CLI::App& command) {
    command.add_option("--time-limit", seconds, "Seconds that one call may take")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--memory-limit", mebibytes, "MiB of address space for the backend; 0: no limit")
        ->capture_default_str();
  }
  void apply(RunOptions& options) const {
    options.isolate.time_limit = std::max(1, static_cast<int>(std::min(seconds, 1e6) * 1000));
    options.isolate.memory_limit = mebibytes * mebibyte;
  }
};

std::chrono::seconds budget_of(Tier tier) {
  switch (tier) {
    case Tier::smoke:
      return std::chrono::seconds(5);
    case Tier::core:
      return std::chrono::seconds(60);
    case Tier::full:
      return std::chrono::minutes(15);
    case Tier::large:
      break;
  }
  return std::chrono::hours(24);
}

bool wants_colour() {
  return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

template <class Enumerator>
std::map<std::string, Enumerator> by_name(const std::vector<Enumerator>& values) {
  std::map<std::string, Enumerator> result;
  for (const Enumerator each : values)
    result[std::string(name(each))] = each;
  return result;
}

struct Commands {
  CLI::App app{"certile says what the Tile operator means, and whether an implementation agrees."};
  CLI::App* list = app.add_subcommand("list", "Backends, operators, element types, tiers");
  CLI::App* oracle = app.add_subcommand("oracle", "The answer to a case, as a line of a corpus");
  CLI::App* run =
      app.add_subcommand("run", "One case, or several in this order on one instance, fully explained");
  CLI::App* certify = app.add_subcommand("certify", "Plan, run, judge and report: the main job");

  bool names_only = false;
  OracleOptions oracle_options;
  std::string run_backend;
  std::vector<std::string> run_literals;
  Limits limits;
  CertifyOptions certify_options;
  std::int64_t random_cases = -1;

  Commands() {
    app.set_version_flag("--version", std::string("certile ") + version);
    app.require_subcommand(1);
    app.footer(
        "BACKEND is a built-in name (see `certile list`) or the path of a shared library: it contains a "
        "'/'.\n"
        "Exit codes: 0 conformant, 1 not conformant, 2 wrong command line or file, 3 certile itself failed,\n"
        "4 a backend could not be loaded, 5 nothing was run, 130 interrupted.");
    list->add_flag("--names", names_only, "Only the built-in backends of this build, one a line");
    oracle->add_option("literal", oracle_options.literal, "A case, or - for the lines of standard input")
        ->required();
    oracle->add_flag("--shape", oracle_options.shape_only,
                     "Only the shape, which may be far too large to exist");
    run->add_option("backend", run_backend, "BACKEND")->required();
    run->add_option("literal", run_literals, "The cases")->required();
    limits.add_to(*run);
    add_certify_options();
  }

  void add_certify_options() {
    CertifyOptions& options = certify_options;
    options.run.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 2);
    certify->add_option("backend", options.backends, "BACKEND")->required();
    certify->add_option("--operator", options.plan.operators, "Only these operators")
        ->transform(CLI::CheckedTransformer(by_name(all_operators())));
    certify->add_option("--tier", options.plan.tier, "How much is asked")
        ->transform(
            CLI::CheckedTransformer(by_name<Tier>({Tier::smoke, Tier::core, Tier::full, Tier::large})))
        ->default_str("core");
    certify->add_option("--level", options.level, "What exit code 0 asks for")
        ->transform(CLI::CheckedTransformer(by_name<Level>({Level::full, Level::text})))
        ->default_str("full");
    certify->add_option("--seed", options.plan.seed, "Of the random cases")->capture_default_str();
    certify->add_option("--random", random_cases, "So many random cases instead of the tier's own number")
        ->check(CLI::NonNegativeNumber);
    certify->add_option("--jobs", options.run.jobs, "Processes at once")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    certify->add_flag("--fail-fast", options.run.fail_fast, "Stop at the first failure");
    limits.add_to(*certify);
    certify->add_option("--requirement", options.plan.requirements,
                        "Only cases that speak about this clause");
    certify->add_option("--case", options.plan.literals, "Only this case");
    certify->add_option("--corpus", options.plan.corpora, "Only the cases of this file");
    certify->add_option("--records", options.records, "Write a JSON line per case");
    certify->add_option("--junit", options.junit, "Write JUnit XML");
    certify->add_option("--markdown", options.markdown, "Write a Markdown summary");
    certify->add_option("--statement", options.statement, "Write an unsigned in-toto statement");
  }

  int execute() {
    if (list->parsed()) {
      list_command(std::cout, names_only);
      return exit_conformant;
    }
    if (oracle->parsed()) return oracle_command(oracle_options, std::cin, std::cout, std::cerr);
    watch_for_interrupts();
    if (run->parsed()) {
      RunOptions options;
      limits.apply(options);
      return run_command(run_backend, run_literals, options, std::cout, std::cerr);
    }
    limits.apply(certify_options.run);
    certify_options.run.budget = budget_of(certify_options.plan.tier);
    certify_options.colour = wants_colour();
    if (random_cases >= 0) certify_options.plan.random_cases = random_cases;
    return certify_command(certify_options, std::cout, std::cerr);
  }
};

int command_line(int argument_count, char** arguments) {
  std::ios::sync_with_stdio(false);
  Commands commands;
  try {
    commands.app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& problem) {
    const int code = commands.app.exit(problem, std::cout, std::cerr);
    return code == 0 ? exit_conformant : exit_bad_command;
  }
  try {
    return commands.execute();
  } catch (const std::exception& failure) {
    std::cerr << "certile: " << failure.what() << std::endl;
    return exit_own_failure;
  }
}

}  // namespace
}  // namespace certile

int main(int argument_count, char** arguments) {
  // The host process must hold as little as possible: it goes its own way before anything else is set up.
  if (argument_count > 1 && std::string_view(arguments[1]) == "host")
    return certile::host_main(argument_count, arguments);
  return certile::command_line(argument_count, arguments);
}
