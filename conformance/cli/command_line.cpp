#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>

#include "conformance/ask/process/environment.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/facts/environment.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/command_line.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/shell_words.hpp"
#include "conformance/text/terminal.hpp"
#include "conformance/text/version.hpp"

namespace certile::conformance {
namespace {

constexpr std::int64_t largest_number = std::numeric_limits<std::int64_t>::max();

int half_of_processors() {
  return std::max(1, processors_allowed() / 2);
}

std::string_view name(Key::Type type) {
  return type == Key::Type::p256 ? "p256" : "ed25519";
}

// Returns the value of that name.  Any other word is a wrong command line, and the error lists the names.
template <class Enumerator>
Enumerator named(const char* flag, const std::string& word, const std::vector<Enumerator>& values) {
  std::string known;
  for (const Enumerator each : values) {
    if (name(each) == word) return each;
    known += (known.empty() ? "" : ", ") + std::string(name(each));
  }
  throw CLI::ValidationError(flag, "unknown value '" + word + "'; valid: " + known);
}

template <class Enumerator>
void add_choice(CLI::App& command, const char* flag, Enumerator& value, const std::vector<Enumerator>& values,
                const char* help) {
  const auto read = [&value, values, flag](const std::string& word) { value = named(flag, word, values); };
  command.add_option_function<std::string>(flag, read, help)
      ->type_name("NAME")
      ->default_str(std::string(name(value)));
}

template <class Value>
CLI::Option* add(CLI::App& command, const char* flag, Value& value, const char* word, const char* help) {
  return command.add_option(flag, value, help)->type_name(word);
}

// Adds words that stand without a flag.
template <class Value>
CLI::Option* add_operand(CLI::App& command, const char* word, Value& value, const std::string& help) {
  return command.add_option(word, value, help)->required()->type_name("");
}

// Adds an option that may be given several times, each time with one value: the next word is a BACKEND again.
void add_repeated(CLI::App& command, const char* flag, std::vector<std::string>& values, const char* word,
                  const char* help) {
  add(command, flag, values, word, help)->allow_extra_args(false);
}

void add_jobs(CLI::App& command, int& jobs, int usual, const char* help) {
  jobs = usual;
  add(command, "--jobs", jobs, "NUMBER", help)
      ->check(CLI::Range(1, 256).description(""))
      ->capture_default_str();
}

void add_limits(CLI::App& command, Limits& limits) {
  add(command, "--time-limit", limits.seconds, "SECONDS", "Time limit of one call")
      ->check(CLI::Range(0.001, 1e6).description(""))
      ->capture_default_str();
  add(command, "--memory-limit", limits.mebibytes, "MIB", "Memory that the backend may write to; 0: no limit")
      ->check(whole_number(largest_number / Limits::mebibyte))
      ->capture_default_str();
  const auto objection = [](const std::string& text) {
    return is_variable(text) ? std::string() : "'" + printable(text) + "' is not NAME=VALUE";
  };
  add(command, "--env", limits.environment, "NAME=VALUE",
      "Set a variable for the backend's process; may be repeated")
      ->allow_extra_args(false)
      ->check(CLI::Validator(objection, ""));
  command
      .add_flag("--sandbox{on}", limits.sandbox,
                "Let the backend write no files and use no network; =required: or do not run it")
      ->check(CLI::IsMember({"on", "required"}).description(""))
      ->type_name("");
}

// Adds the options that say how much of a run its text report shows.
void add_detail(CLI::App& command, TextOptions& options) {
  const auto add_flag = [&](const char* flag, Detail detail, const char* help) {
    return command.add_flag_callback(
        flag, [&options, detail] { options.detail = detail; }, help);
  };
  auto* quiet = add_flag("-q,--quiet", Detail::verdict, "Print the line with the verdict alone");
  add_flag("--verbose", Detail::whole,
           "Print the limits of the run, three failures of each clause, and every clause")
      ->excludes(quiet);
}

void add_report_files(CLI::App& command, ReportFiles& files) {
  for (std::size_t index = 0; index < files.paths.size(); ++index) {
    const Format& format = all_formats()[index];
    command.add_option("--" + std::string(format.name), files.paths[index], format.help)->type_name("FILE");
  }
  add(command, "--html", files.page.path, "FILE",
      "Write a page for a browser: what was certified, and the plainest failures");
  add_repeated(command, "--against", files.page.against, "FILE",
               "For --html: records of an earlier run to compare with; may be repeated");
  add(command, "--certificate", files.certificate.certificate, "FILE",
      "Write an in-toto statement about one conformant backend, at tier core or above");
  add(command, "--bundle", files.certificate.bundle, "DIR",
      "Write a folder with the certificate, the records and all that a verifier needs");
  add(command, "--sign", files.certificate.key, "KEY",
      "Sign the certificate with this key, which `certile keygen` makes");
}

void add_one_case(CLI::App& command, CommandLine& line) {
  add_operand(command, "BACKEND", line.one_case.run.isolate.spelling,
              "A built-in name, ./PATH.so or worker:COMMAND");
  add_operand(command, "LITERAL", line.one_case.literals, "The cases, asked in this order of one instance");
  add_limits(command, line.limits);
}

void add_budget(CLI::App& command, PlanOptions& plan, RunOptions& run, const char* help) {
  const auto read = [&plan, &run](const std::string& text) {
    const auto parsed = parse_budget(text);
    if (!parsed) throw CLI::ValidationError("--budget", parsed.error().what);
    plan.budget = *parsed;
    if (const auto* time = std::get_if<std::chrono::seconds>(&*parsed)) run.time_for_all = *time;
  };
  command.add_option_function<std::string>("--budget", read, help)->type_name("CASES|SECONDSs");
}

void add_certify(CLI::App& command, CommandLine& line) {
  CertifyOptions& options = line.certify;
  add_operand(command, "BACKEND", options.backends, "Names (built-in: all), ./PATH.so or worker:COMMAND");
  const auto read = [&options](const std::vector<std::string>& words) {
    options.plan.definitions.clear();
    for (const std::string& word : words)
      options.plan.definitions.push_back(named("--definition", word, all_definitions()));
  };
  command
      .add_option_function<std::vector<std::string>>("--definition,--operator", read,
                                                     "Only this definition; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME");
  add_choice(command, "--tier", options.plan.tier, {Tier::smoke, Tier::core, Tier::full, Tier::large},
             "The set of cases: smoke, core, full or large");
  add_choice(command, "--level", options.level, {Level::full, Level::text},
             "The clauses that must hold for exit code 0: full, or text, which omits our own clauses");
  add(command, "--seed", options.plan.seed, "NUMBER", "Seed of the random cases")
      ->check(whole_number())
      ->capture_default_str();
  add(command, "--random", options.plan.random_cases, "NUMBER",
      "Number of random cases, instead of the tier's number")
      ->check(whole_number(largest_number));
  add_jobs(command, options.run.jobs, half_of_processors(), "Number of processes to run in parallel");
  command.add_flag("--fail-fast", options.run.fail_fast, "Stop at the first failure");
  command.add_flag("--shrink", options.shrink,
                   "Search for a plainer case of each clause's first failure: up to a minute each");
  add_limits(command, line.limits);
  add_repeated(command, "--clause,--requirement", options.plan.clauses, "ID",
               "Only cases that exercise this clause; may be repeated");
  add_repeated(command, "--case", options.plan.literals, "LITERAL",
               "This case instead of the tier's; may be repeated");
  add_repeated(command, "--corpus", options.plan.corpora, "FILE",
               "The cases of this file instead of the tier's; may be repeated");
  add_detail(command, options.text);
  add(command, "--records", options.records, "FILE", "Write every case as a line of JSON");
  add(command, "--shard", options.shard, "I/N",
      "Ask one share of the plan alone, the I-th of N, from 1; auto: the one that a scheduler's variables "
      "name");
  add(command, "--resume", options.resume, "FILE",
      "Go on with the run whose records were cut short, and complete them; a new FILE begins it");
  add_budget(command, options.plan, options.run,
             "Ask the most telling cases of the plan alone: 1000 of them, or for 30s; proves nothing whole");
  add_report_files(command, options.reports);
  add(command, "--waivers", options.waivers, "PATH",
      "Failures that are accepted: a file, or a folder with a NAME.waivers for each backend");
  add(command, "--write-waivers", options.write_waivers, "PATH",
      "Write a file that accepts the failures, once its empty fields are filled in");
}

void add_merge(CLI::App& command, MergeOptions& options) {
  add_operand(command, "FILE", options.shards, "The records of every shard, which `certify --shard` wrote");
  add(command, "--records", options.records, "FILE", "Write the records of the whole run")->required();
  add(command, "--hosts", options.hosts, "FILE", "Write which machine ran which shard, as lines of JSON");
  add(command, "--at-least", options.at_least, "NUMBER", "Refuse a plan of fewer cases")
      ->check(whole_number(largest_number))
      ->capture_default_str();
  add_report_files(command, options.report.files);
  add_detail(command, options.report.text);
}

void add_verify(CLI::App& command, VerifyOptions& options) {
  add_operand(command, "PATH", options.path,
              "A folder that `certify --bundle` wrote, or the file of --certificate or --records");
  add(command, "--key", options.key, "PUB", "The public key of the signer, in a file in PEM");
  add(command, "--binary", options.binary, "FILE", "A file that the certificate must be about");
  auto* replay =
      add(command, "--replay", options.backend, "BACKEND", "Ask this backend one case in a hundred again");
  add(command, "--replay-seed", options.seed, "NUMBER",
      "The number that chooses these cases; a random one by default")
      ->check(whole_number())
      ->needs(replay);
}

void add_self_test(CLI::App& command, SelfTestCommandOptions& options) {
  auto* names = add(command, "NAME", options.test.names, "",
                    "Only the implementations of these names, such as M01 or L03");
  add_choice(command, "--tier", options.test.tier, {Tier::smoke, Tier::core, Tier::full, Tier::large},
             "The tier that must catch them: smoke, core, full or large");
  // One job more than there are processors, because some jobs wait for implementations that hang.
  add_jobs(command, options.test.jobs, processors_allowed() + 1,
           "Number of implementations to judge in parallel");
  add(command, "--mutants", options.test.folder, "FOLDER", "The folder of their libraries");
  add(command, "--junit", options.junit, "FILE", "Write a test for each of them, in the JUnit format");
  add(command, "--witnesses", options.witnesses, "FILE",
      "Write the cases of which those die that a sample of the tier does not kill")
      ->excludes(names);
  command.add_flag("--list", options.roster_only,
                   "Show the error of each implementation and the clause that must catch it");
}

void add_claim(CLI::App& command, CommandLine& line) {
  ClaimOptions& options = line.claim;
  add_operand(command, "BACKEND", options.run.isolate.spelling,
              "A built-in name, ./PATH.so or worker:COMMAND");
  auto* python =
      command.add_flag("--python", options.as_python, "Print the arguments of certile.backend in Python");
  command.add_flag("--json", options.as_json, "Print the words of a worker's answer to hello")
      ->excludes(python);
  add_choice(command, "--tier", options.plan.tier, {Tier::smoke, Tier::core, Tier::full},
             "The cases that must pass: smoke, core or full");
  add_budget(command, options.plan, options.run,
             "Ask the most telling cases alone, each time that the claim becomes narrower: 1000, or for 30s");
  add_jobs(command, options.run.jobs, half_of_processors(), "Number of processes to run in parallel");
  add_limits(command, line.limits);
}

// Adds the commands, in the order of the help.
void add_commands(CLI::App& app, CommandLine& line) {
  const auto command = [&app](const char* word, const char* help) -> CLI::App& {
    return *app.add_subcommand(word, help);
  };
  command("list", "Show the backends, definitions, element types and tiers")
      .add_flag("--names", line.names_only, "Only the names of the built-in backends, one on each line");
  CLI::App& oracle =
      command("oracle", "Print the answer to a case, without a backend, as a line of a corpus");
  add_operand(oracle, "LITERAL", line.oracle.literal, "A case, or - for the lines of standard input");
  oracle.add_flag("--shape", line.oracle.shape_only,
                  "Only the shape, whose tensor may be too large to exist");
  add_one_case(command("run", "Ask a backend one case, or several in this order, and explain the outcome"),
               line);
  add_one_case(command("shrink", "Search for a plainer case that fails as this one does"), line);
  add(command("explain", "Say what a clause requires, or what a word of a report means"), "WORD",
      line.explained, "",
      "The id or name of a clause, a fault, a verdict or another word; none: list them all");
  add_certify(command("certify", "Judge backends clause by clause, and report: the main job"), line);
  CLI::App& report = command("report", "Write the reports of runs again, from their files of records");
  add_operand(report, "FILE", line.report.records, "Files that `certify --records` wrote");
  add_detail(report, line.report.text);
  add_report_files(report, line.report.files);
  add_merge(command("merge", "Make the records of one run of those of all its shards, and report it"),
            line.merge);
  CLI::App& diff = command("diff", "Compare the records of two runs: what got worse comes first");
  add_operand(diff, "OLD", line.diff.before, "The records of the earlier run");
  add_operand(diff, "NEW", line.diff.after, "The records of the later run");
  diff.add_flag("--verbose", line.diff.verbose, "Show every change, not the plainest ten of each kind");
  add_verify(command("verify",
                     "Check a bundle or a signed certificate, or recompute the results in a file of records"),
             line.verify);
  CLI::App& keygen = command("keygen", "Make a key that signs certificates");
  add_operand(keygen, "NAME", line.keygen.name, "NAME.key becomes the private key, NAME.pub the public one");
  add_choice(keygen, "--type", line.keygen.type, {Key::Type::ed25519, Key::Type::p256},
             "The kind of key: ed25519 or p256");
  CLI::App& sign = command("sign", "Sign a statement that `certify --certificate` wrote");
  add_operand(sign, "STATEMENT", line.sign.statement, "The file of the statement");
  add(sign, "--key", line.sign.key, "KEY", "The private key, which `certile keygen` makes")->required();
  add(sign, "--output", line.sign.envelope, "FILE", "The file of the signed statement; - is standard output")
      ->capture_default_str();
  add_operand(command("worker-check",
                      "Send a worker eight calls that any Tile gets right, and explain wrong answers"),
              "COMMAND", line.worker, "The shell command that starts the worker");
  CLI::App& starter = command(
      "new", "Write a small backend that passes its claim, to start from, with its build and its test");
  add_operand(starter, "LANGUAGE", line.new_starter.language, "One of: " + joined(starter_languages(), ", "));
  add_operand(starter, "DIR", line.new_starter.folder, "A folder that does not exist, or is empty");
  add_operand(
      *command("environments", "List the private Python environments of runtimes, or make some")
           .add_subcommand("make", "Make the environments of these runtimes, and say what each costs first"),
      "NAME", line.environments, "Names of runtimes, as certile list prints them");
  add_self_test(
      command("self-test", "Judge implementations that are wrong on purpose: the suite must catch them"),
      line.self_test);
  add_claim(command("claim", "Ask a backend everything, and propose the claim that it may honestly make"),
            line);
}

// Adds a flag that prints one line and ends the parsing, as --version does.
void add_line(CLI::App& app, const char* flag, const char* help,
              const std::function<Result<std::string>()>& read) {
  const auto print = [flag, read] {
    const auto line = read();
    if (!line) throw CLI::ValidationError(flag, line.error().what);
    throw CLI::CallForVersion(*line, 0);
  };
  app.add_flag_callback(flag, print, help);
}

}  // namespace

std::optional<int> read_command_line(CommandLine& line, const Installation& installation, int argument_count,
                                     char** arguments, std::ostream& out, std::ostream& error) {
  CLI::App app{"certile says what the Tile operator means, and whether an implementation agrees.", "certile"};
  app.set_version_flag("--version", std::string("certile ") + version);
  add_line(app, "--cflags", "Print the compiler's option for certile's C headers",
           [&installation]() -> Result<std::string> {
             TRY(const auto folder, installation.include_folder());
             return "-I" + quoted_for_shell(folder);
           });
  add_line(app, "--libs", "Print the linker's options for certile::runner",
           [&installation] { return installation.runner_options(); });
  app.require_subcommand(1);
  add_commands(app, line);
  app.footer(  // after the commands, which would inherit it
      "BACKEND is a built-in name or a runtime's (see `certile list`), the path of a shared library or of "
      "a program\nthat links certile's runner, which contains a '/', or 'worker:COMMAND', which speaks the "
      "worker protocol.\n"
      "A LITERAL is one case in one line, for instance 'openvino-tile-1 f32[2,3] x i64{2,2}'.\n"
      "Exit codes: 0 conformant, 1 not conformant, 2 wrong command line or unreadable file, 3 certile "
      "itself failed,\n"
      "4 a backend could not be loaded or started, 5 nothing was run, 130 interrupted.");
  std::vector<std::string> words(arguments + 1, arguments + argument_count);
  if (!words.empty() && words.front() == "help") {  // as of other programs: `certile help certify`
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& problem) {
    const bool is_of_no_command =
        !words.empty() && !words.front().starts_with('-') && app.get_subcommands().empty();
    if (problem.get_exit_code() != 0 || is_of_no_command)
      return complain(error, sentence_about(app, problem, words));
    app.exit(problem, out, error);
    return exit_conformant;
  }
  const CLI::App& command = *app.get_subcommands().front();
  line.command = command.get_name();
  line.certify.tier_is_chosen = line.command == "certify" && command.count("--tier") > 0;
  return std::nullopt;
}

}  // namespace certile::conformance
