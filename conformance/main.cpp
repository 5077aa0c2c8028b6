#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "conformance/ask/process/below_host.hpp"
#include "conformance/ask/process/host.hpp"
#include "conformance/ask/rig/stacks.hpp"
#include "conformance/cli/certify_checks.hpp"
#include "conformance/cli/certify_command.hpp"
#include "conformance/cli/claim_command.hpp"
#include "conformance/cli/complain.hpp"
#include "conformance/cli/diff_command.hpp"
#include "conformance/cli/environments_command.hpp"
#include "conformance/cli/explain_command.hpp"
#include "conformance/cli/installation.hpp"
#include "conformance/cli/key_commands.hpp"
#include "conformance/cli/limits.hpp"
#include "conformance/cli/list_command.hpp"
#include "conformance/cli/merge_command.hpp"
#include "conformance/cli/new_command.hpp"
#include "conformance/cli/oracle_command.hpp"
#include "conformance/cli/report_command.hpp"
#include "conformance/cli/run_command.hpp"
#include "conformance/cli/self_test_command.hpp"
#include "conformance/cli/unknown_command.hpp"
#include "conformance/cli/verify_command.hpp"
#include "conformance/cli/worker_check.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/interrupt.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/standard_streams.hpp"
#include "conformance/text/terminal.hpp"
#include "conformance/text/version.hpp"
#include "conformance/text/whole_number.hpp"

namespace certile::conformance {
namespace {

// Returns the time that slow, hanging and crashing calls may take, all of them together.
std::chrono::seconds patience_of(Tier tier) {
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

// How many times that patience this build has, because sanitizers slow the backend's process down.
constexpr int slowdown = std::string_view(CERTILE_SANITIZE).empty() ? 1 : 10;

// Adds the options that say how much of a run its text report shows.
void add_detail(CLI::App& command, TextOptions& options) {
  auto* quiet = command.add_flag_callback(
      "-q,--quiet", [&options] { options.detail = Detail::verdict; },
      "Print the line with the verdict alone");
  command
      .add_flag_callback(
          "--verbose", [&options] { options.detail = Detail::whole; },
          "Print the limits of the run, three failures of each clause, and every clause")
      ->excludes(quiet);
}

// Returns the value of that name.  Any other word is a wrong command line, and the error lists the names.
template <class Enumerator>
Enumerator named(const char* flag, const std::string& word, const std::vector<Enumerator>& values) {
  std::string known;
  for (const Enumerator each : values) {
    if (name(each) == word) return each;
    known += known.empty() ? "" : ", ";
    known += name(each);
  }
  throw CLI::ValidationError(flag, "unknown value '" + word + "'; valid: " + known);
}

// Adds an option that may be given several times, each time with one value: the next word is a BACKEND again.
void add_repeated(CLI::App& command, const char* flag, std::vector<std::string>& values, const char* word,
                  const char* help) {
  command.add_option(flag, values, help)->allow_extra_args(false)->type_name(word);
}

struct Commands {
  CLI::App app{"certile says what the Tile operator means, and whether an implementation agrees.", "certile"};
  CLI::App* list = app.add_subcommand("list", "Show the backends, definitions, element types and tiers");
  CLI::App* oracle =
      app.add_subcommand("oracle", "Print the answer to a case, without a backend, as a line of a corpus");
  CLI::App* run =
      app.add_subcommand("run", "Ask a backend one case, or several in this order, and explain the outcome");
  CLI::App* shrink = app.add_subcommand("shrink", "Search for a plainer case that fails as this one does");
  ExplainCommand explain{app};
  CLI::App* certify =
      app.add_subcommand("certify", "Judge backends clause by clause, and report: the main job");

  CLI::App* report =
      app.add_subcommand("report", "Write the reports of runs again, from their files of records");
  CLI::App* merge =
      app.add_subcommand("merge", "Make the records of one run of those of all its shards, and report it");
  CLI::App* diff = app.add_subcommand("diff", "Compare the records of two runs: what got worse comes first");
  VerifyCommand verify{app};
  KeygenCommand keygen{app};
  SignCommand sign{app};
  CLI::App* worker_check = app.add_subcommand(
      "worker-check", "Send a worker eight calls that any Tile gets right, and explain wrong answers");

  CLI::App* new_starter = app.add_subcommand(
      "new", "Write a small backend that passes its claim, to start from, with its build and its test");

  EnvironmentsCommand environments{app};
  SelfTestCommand self_test{app};
  ClaimCommand claim{app};

  const Installation installation = Installation::of_this_program();
  bool names_only = false;
  std::string worker_command;
  OracleOptions oracle_options;
  OneCaseOptions one_case;
  Limits limits;
  CertifyOptions certify_options;
  ReportOptions report_options;
  MergeOptions merge_options;
  DiffOptions diff_options;
  NewOptions new_options;
  std::int64_t random_cases = -1;

  Commands() {
    app.set_version_flag("--version", std::string("certile ") + version);
    app.add_flag_callback(
        "--cflags", [this] { print_options("--cflags"); },
        "Print the compiler's option for certile's C headers");
    app.add_flag_callback(
        "--libs", [this] { print_options("--libs"); }, "Print the linker's options for certile::runner");
    app.require_subcommand(1);
    app.footer(
        "BACKEND is a built-in name or a runtime's (see `certile list`), the path of a shared library or of "
        "a program\nthat links certile's runner, which contains a '/', or 'worker:COMMAND', which speaks the "
        "worker protocol.\n"
        "A LITERAL is one case in one line, for instance 'openvino-tile-1 f32[2,3] x i64{2,2}'.\n"
        "Exit codes: 0 conformant, 1 not conformant, 2 wrong command line or unreadable file, 3 certile "
        "itself failed,\n"
        "4 a backend could not be loaded or started, 5 nothing was run, 130 interrupted.");
    list->add_flag("--names", names_only, "Only the names of the built-in backends, one on each line");
    oracle->add_option("LITERAL", oracle_options.literal, "A case, or - for the lines of standard input")
        ->required()
        ->type_name("");
    oracle->add_flag("--shape", oracle_options.shape_only,
                     "Only the shape, whose tensor may be too large to exist");
    for (CLI::App* command : {run, shrink}) {
      command->add_option("BACKEND", one_case.backend, "A built-in name, ./PATH.so or worker:COMMAND")
          ->required()
          ->type_name("");
      command->add_option("LITERAL", one_case.literals, "The cases, asked in this order of one instance")
          ->required()
          ->type_name("");
      limits.add_to(*command);
    }
    report->add_option("FILE", report_options.records, "Files that `certify --records` wrote")
        ->required()
        ->type_name("");
    add_detail(*report, report_options.text);
    report_options.files.add_to(*report);
    merge_options.add_to(*merge);
    add_detail(*merge, merge_options.report.text);
    diff_options.add_to(*diff);
    worker_check->add_option("COMMAND", worker_command, "The shell command that starts the worker")
        ->required()
        ->type_name("");
    new_starter->add_option("LANGUAGE", new_options.language, "One of: " + joined(starter_languages(), ", "))
        ->required()
        ->type_name("");
    new_starter->add_option("DIR", new_options.folder, "A folder that does not exist, or is empty")
        ->required()
        ->type_name("");
    add_certify_options();
  }

  void add_certify_options() {
    CertifyOptions& options = certify_options;
    // Two of two processors, because the judge and a process of a backend seldom work at the same time.
    const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    options.run.jobs = std::min(processors, std::max(2, processors / 2));
    certify
        ->add_option("BACKEND", options.backends,
                     "Built-in names, ./PATH.so or worker:COMMAND; built-in: each of them")
        ->required()
        ->type_name("");
    certify
        ->add_option_function<std::vector<std::string>>(
            "--definition,--operator",
            [&options](const std::vector<std::string>& words) {
              options.plan.definitions.clear();
              for (const std::string& word : words)
                options.plan.definitions.push_back(named("--definition", word, all_definitions()));
            },
            "Only this definition; may be repeated")
        ->allow_extra_args(false)
        ->type_name("NAME");
    certify
        ->add_option_function<std::string>(
            "--tier",
            [&options](const std::string& word) {
              options.tier_is_chosen = true;
              options.plan.tier =
                  named<Tier>("--tier", word, {Tier::smoke, Tier::core, Tier::full, Tier::large});
            },
            "The set of cases: smoke, core, full or large")
        ->type_name("NAME")
        ->default_str("core");
    certify
        ->add_option_function<std::string>(
            "--level",
            [&options](const std::string& word) {
              options.level = named<Level>("--level", word, {Level::full, Level::text});
            },
            "The clauses that must hold for exit code 0: full, or text, which omits our own clauses")
        ->type_name("NAME")
        ->default_str("full");
    certify->add_option("--seed", options.plan.seed, "Seed of the random cases")
        ->check(whole_number())
        ->type_name("NUMBER")
        ->capture_default_str();
    certify->add_option("--random", random_cases, "Number of random cases, instead of the tier's number")
        ->check(whole_number(std::numeric_limits<std::int64_t>::max()))
        ->type_name("NUMBER");
    certify->add_option("--jobs", options.run.jobs, "Number of processes to run in parallel")
        ->check(CLI::Range(1, 256).description(""))
        ->type_name("NUMBER")
        ->capture_default_str();
    certify->add_flag("--fail-fast", options.run.fail_fast, "Stop at the first failure");
    certify->add_flag("--shrink", options.shrink,
                      "Search for a plainer case of each clause's first failure: up to a minute each");
    limits.add_to(*certify);
    add_repeated(*certify, "--clause,--requirement", options.plan.clauses, "ID",
                 "Only cases that exercise this clause; may be repeated");
    add_repeated(*certify, "--case", options.plan.literals, "LITERAL",
                 "This case instead of the tier's; may be repeated");
    add_repeated(*certify, "--corpus", options.plan.corpora, "FILE",
                 "The cases of this file instead of the tier's; may be repeated");
    add_detail(*certify, options.text);
    certify->add_option("--records", options.records, "Write every case as a line of JSON")
        ->type_name("FILE");
    add_shard_options(*certify, options);
    options.reports.add_to(*certify);
    certify
        ->add_option("--waivers", options.waivers,
                     "Failures that are accepted: a file, or a folder with a NAME.waivers for each backend")
        ->type_name("PATH");
    certify
        ->add_option("--write-waivers", options.write_waivers,
                     "Write a file that accepts the failures, once its empty fields are filled in")
        ->type_name("PATH");
  }

  // Ends the parsing, as --version does.
  void print_options(const std::string& flag) const {
    const bool for_compiler = flag == "--cflags";
    const auto found = for_compiler ? installation.include_folder() : installation.runner_options();
    if (!found) throw CLI::ValidationError(flag, found.error().what);
    throw CLI::CallForVersion(for_compiler ? "-I" + quoted_for_shell(*found) : *found, 0);
  }

  static int refuse_to_start(const std::string& sentence) {
    return complain(std::cerr, sentence, exit_not_loaded);
  }

  int execute() {
    if (list->parsed()) {
      list_command(std::cout, names_only, installation.has_workers());
      return exit_conformant;
    }
    if (new_starter->parsed()) return new_command(new_options, std::cout, std::cerr);
    if (environments.parsed()) return environments.execute(installation, std::cerr);
    if (oracle->parsed()) return oracle_command(oracle_options, std::cin, std::cout, std::cerr);
    for (TextOptions* text : {&report_options.text, &certify_options.text, &merge_options.report.text}) {
      text->colour = wants_colour(STDOUT_FILENO);
      text->width = columns_of(STDOUT_FILENO, text->width);
    }
    one_case.width = columns_of(STDOUT_FILENO, one_case.width);
    if (explain.parsed()) return explain.execute(one_case.width, std::cout, std::cerr);
    if (report->parsed()) return report_command(report_options, std::cout, std::cerr);
    if (merge->parsed()) return merge_command(merge_options, std::cout, std::cerr);
    if (diff->parsed()) return diff_command(diff_options, std::cout, std::cerr);
    if (keygen.parsed()) return keygen.execute(std::cout, std::cerr);
    if (sign.parsed()) return sign.execute(std::cerr);
    verify.backend() = installation.spelling_of(verify.backend());
    if (verify.parsed()) return verify.execute(std::cout, std::cerr);
    watch_for_interrupts();
    if (worker_check->parsed()) return worker_check_command(worker_command, std::cout, std::cerr);
    if (self_test.parsed()) return self_test.execute(std::cout, std::cerr);
    if (claim.parsed()) return claim.execute(installation.spelling_of(claim.backend()), std::cout, std::cerr);
    name_built_in_backends(certify_options, std::cerr);
    std::vector<std::string> asked = certify_options.backends;
    asked.push_back(one_case.backend);
    one_case.backend = installation.spelling_of(one_case.backend);
    for (std::string& backend : certify_options.backends)
      backend = installation.spelling_of(backend);
    const int code = ask_backend();
    for (const std::string& backend : asked)
      if (const std::string remedy = installation.remedy_for(backend);
          code == exit_not_loaded && !remedy.empty())
        std::cerr << "certile: if Python lacks the runtime, this installs it separately: " << remedy
                  << std::endl;
    return code;
  }

  int ask_backend() {
    RunOptions& run_options = certify->parsed() ? certify_options.run : one_case.run;
    if (const auto sentence = limits.apply(run_options)) return refuse_to_start(*sentence);
    if (run->parsed()) return run_command(one_case, std::cout, std::cerr);
    if (shrink->parsed()) return shrink_command(one_case, std::cout, std::cerr);
    certify_options.run.tier_time = slowdown * patience_of(certify_options.plan.tier);
    if (random_cases >= 0) certify_options.plan.random_cases = random_cases;
    return certify_command(certify_options, std::cout, std::cerr);
  }
};

// Prints the sentence without allocating memory and without the streams, because either may have failed.
int fail_because(const char* sentence) {
  std::fprintf(stderr, "certile: %s\n", sentence);
  return exit_own_failure;
}

// Ends the program with a sentence if memory ran out where no exception may be thrown, such as in a library's
// destructor.  By default, a signal would end it.
void end_without_memory() {
  try {
    if (const auto failure = std::current_exception()) std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    std::_Exit(fail_because("there is not enough memory"));
  } catch (...) {  // NOLINT(bugprone-empty-catch): all other exceptions abort below, as by default
  }
  std::abort();
}

int command_line(int argument_count, char** arguments) {
  std::set_terminate(end_without_memory);
  try {
    std::ios::sync_with_stdio(false);
    // [CT-SELF] certile does not compute answers for a backend that it judges
    if (is_below_a_host()) {
      std::cerr << "certile: refused, because a backend under judgement started it" << std::endl;
      return exit_own_failure;
    }
    Commands commands;
    try {
      commands.app.parse(argument_count, arguments);
    } catch (const CLI::ParseError& problem) {
      if (const auto sentence = unknown_command(commands.app, argument_count, arguments)) {
        std::cerr << "certile: " << *sentence << std::endl;
        return exit_bad_command;
      }
      const int code = commands.app.exit(problem, std::cout, std::cerr);
      return code == 0 ? exit_conformant : exit_bad_command;
    }
    const int code = commands.execute();
    if (std::cout.flush() || commands.oracle->parsed()) return code;
    std::cerr << "certile: the results could not be written to standard output" << std::endl;
    return exit_bad_command;
  } catch (const std::bad_alloc&) {
    return fail_because("there is not enough memory");
  } catch (const std::exception& failure) {
    return fail_because(failure.what());
  }
}

}  // namespace
}  // namespace certile::conformance

int main(int argument_count, char** arguments) {
  return certile::conformance::call_with_stack([&] {
    // A host or keeper must hold as little as possible, so it branches off before anything else is set up.
    if (const auto code = certile::conformance::run_as_own_process(argument_count, arguments)) return *code;
    certile::conformance::hold_standard_streams();
    return certile::conformance::command_line(argument_count, arguments);
  });
}
