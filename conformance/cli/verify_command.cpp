#include "conformance/cli/verify_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <system_error>
#include <utility>

#include "conformance/certificate/bundle.hpp"
#include "conformance/certificate/envelope.hpp"
#include "conformance/certificate/key.hpp"
#include "conformance/certificate/statement.hpp"
#include "conformance/cli/judged_files.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/records/verification.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {

namespace {

constexpr std::size_t one_in = 100;

using Recorded = RecordedRun::Recorded;

std::vector<Recorded> chosen_from(const std::vector<Recorded>& cases, std::uint64_t seed) {
  std::vector<Recorded> chosen;
  std::mt19937_64 random(seed);
  std::ranges::sample(cases, std::back_inserter(chosen),
                      static_cast<std::ptrdiff_t>((cases.size() + one_in - 1) / one_in), random);
  return chosen;
}

Check binary_check(const RunHeader& header, const Claim& claim, const std::string& spelling) {
  const auto files = JudgedFiles::of(spelling);
  if (const auto why = files ? unknown_file_of(spelling, files->parts()) : std::nullopt)
    return {"binary", false, "it is not known which files " + printable(spelling) + " runs: " + *why};
  const std::string digest = files ? files->digest(claim) : files.error().what;
  if (digest == header.backend_digest) return {"binary", true, "the one of the records"};
  return {"binary", false,
          printable(spelling) + " is not the one of the records: its SHA-256 is " + printable(digest)};
}

}  // namespace

RecordListener listener_of(std::vector<RecordedRun>& runs) {
  return {[&runs](const RunHeader& header) {
            runs.push_back({header, {}});
          },
          [&runs](const Record& record) {
            const bool counts = record.law.empty() && record.judged.verdict != Verdict::not_run;
            if (counts)
              runs.back().cases.push_back({record.literal, record.judged.verdict, record.judged.fault});
          }};
}

Result<std::vector<Check>> replay(const std::vector<RecordedRun>& runs, const RunOptions& options,
                                  std::uint64_t seed) {
  if (runs.size() != 1)
    return Error{Error::Code::bad_literal,
                 "--replay is for the records of one run, and there are " + std::to_string(runs.size())};
  const RecordedRun& run = runs.front();
  const Started started = start_backend(options.isolate);
  if (!started.claim) return Error{Error::Code::io, started.failure->sentence};
  std::vector<Check> checks{binary_check(run.header, *started.claim, options.isolate.spelling)};
  const bool claims_the_same = *started.claim == run.header.claim;
  checks.push_back({"claim", claims_the_same,
                    claims_the_same ? "the one of the records" : "the backend claims something else"});

  const std::vector<Recorded> chosen = chosen_from(run.cases, seed);
  Plan plan;
  std::map<std::string, const Recorded*> recorded;
  for (const Recorded& each : chosen) {
    auto planned = parse_planned_case(each.literal);
    if (!planned) return planned.error();
    plan.cases.push_back(*std::move(planned));
    recorded[each.literal] = &each;
  }
  std::string wrong;
  std::int64_t wrongs = 0;
  const auto asked = run_plan(plan, options, [&](const Record& record) {
    const Recorded& before = *recorded.at(record.literal);
    const bool is_same = record.judged.verdict == before.verdict && record.judged.fault == before.fault;
    if (!is_same && ++wrongs == 1)
      wrong = "recorded as " + std::string(name(before.verdict)) + ", and now " +
              std::string(name(record.judged.verdict)) + ": " + printable(record.literal);
    return Result<Done>(Done{});
  });
  if (!asked) return asked.error();
  if (wrongs > 1) wrong += ", and " + with_thousands(wrongs - 1) + " more";
  const std::string how = counted(static_cast<std::int64_t>(chosen.size()), "case") + " of " +
                          with_thousands(static_cast<std::int64_t>(run.cases.size())) +
                          ", chosen by --replay-seed " + std::to_string(seed);
  checks.push_back(
      {"replay", wrongs == 0, how + (wrongs == 0 ? ": the verdicts of the records" : ": " + wrong)});
  return checks;
}

namespace {

// Prints the checks, and returns true if all of them hold.
bool print(std::ostream& out, const std::string& title, const std::vector<Check>& checks) {
  out << title << '\n';
  for (const Check& check : checks)
    out << fmt::format("  {}  {:<12} {}\n", check.holds ? "holds" : "WRONG", check.subject, check.sentence);
  return std::ranges::all_of(checks, &Check::holds);
}

// Prints the last line; `limits` are the shards that are not a whole run.
int verdict(std::ostream& out, bool all_hold, const std::vector<std::string>& limits = {}) {
  out << (all_hold ? "VERIFIED" : "NOT VERIFIED");
  if (all_hold && !limits.empty())
    out << ", of " << joined(limits, ", ")
        << ": no certificate of an implementation; certile merge makes one run of all";
  out << '\n';
  return all_hold ? exit_conformant : exit_not_conformant;
}

// Returns true if a regular file begins as records do not: a statement, or something else that is no records.
bool may_be_statement(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  std::string beginning(9, '\0');
  std::ifstream(path).read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return beginning.starts_with('{') && beginning != "{\"header\"";
}

Result<std::optional<Key>> read_key(const VerifyOptions& options) {
  if (options.key.empty()) return std::optional<Key>();
  auto key = Key::read_public(options.key);
  if (!key) return key.error();
  return std::optional<Key>(*std::move(key));
}

std::vector<Check> check_subjects(const VerifyOptions& options, const std::string& statement) {
  if (options.binary.empty()) return {};
  const auto content = read_text(options.binary, "the binary");
  if (!content) return {{"binary", false, content.error().what}};
  const std::string digest = sha256_hex(*content);
  const auto named = name_of_subject(statement, digest);
  if (!named)
    return {{"binary", false,
             "the certificate is not about " + printable(options.binary) + ", whose SHA-256 is " + digest}};
  return {{"binary", true, printable(options.binary) + " is " + printable(*named)}};
}

// Returns a listener that keeps what a replay needs, if one is requested.
RecordListener listener_for(const VerifyOptions& options, std::vector<RecordedRun>& recorded) {
  return options.backend.empty() ? RecordListener() : listener_of(recorded);
}

int verify_runs(const VerifyOptions& options, const std::vector<Verification>& runs,
                const std::vector<RecordedRun>& recorded, bool holds_so_far, std::ostream& out,
                std::ostream& error) {
  std::vector<std::string> limits;
  for (const Verification& each : runs) {
    holds_so_far = print(out, each.run, each.checks) && holds_so_far;
    if (!each.limited_to.empty()) limits.push_back(each.limited_to + " alone");
  }
  if (options.backend.empty()) return verdict(out, holds_so_far, limits);
  watch_for_interrupts();
  RunOptions run;
  run.isolate.spelling = options.backend;
  run.asks_again = false;
  run.interrupted = run.isolate.interrupted = &interrupted();
  const auto checks = replay(recorded, run, options.seed ? *options.seed : std::random_device{}());
  if (interrupted().load()) return exit_interrupted;
  if (!checks) return complain(error, checks.error().what);
  return verdict(out, print(out, "replay", *checks) && holds_so_far, limits);
}

int verify_folder(const VerifyOptions& options, std::ostream& out, std::ostream& error) {
  const auto bundle = read_bundle(options.path);
  if (!bundle) return complain(error, bundle.error().what);
  const auto key = read_key(options);
  if (!key) return complain(error, key.error().what);
  const Key* given = *key ? &**key : nullptr;
  std::vector<RecordedRun> recorded;
  const BundleVerification verified = verify_bundle(*bundle, given, listener_for(options, recorded));
  if (!print(out, "bundle", verified.checks)) return verdict(out, false);
  const auto statement = given != nullptr ? opened(bundle->at(envelope_file), *given)
                                          : Result<std::string>(bundle->at(statement_file));
  const std::vector<Check> subjects = check_subjects(options, *statement);
  const bool is_binary = subjects.empty() || print(out, "subject", subjects);
  return verify_runs(options, {*verified.run}, recorded, is_binary, out, error);
}

int verify_envelope(const VerifyOptions& options, const std::string& text, std::ostream& out,
                    std::ostream& error) {
  if (!options.backend.empty()) return complain(error, "--replay needs the records: verify the bundle");
  const auto key = read_key(options);
  if (!key) return complain(error, key.error().what);
  if (!*key)
    return complain(error,
                    printable(options.path) + " is signed; give the public key of its signer with --key");
  const auto statement = opened(text, **key);
  std::vector<Check> checks{{"signature", static_cast<bool>(statement),
                             statement ? "by the key " + (*key)->id() : statement.error().what}};
  if (statement) {
    const auto line = line_of_statement(*statement);
    checks.push_back({"statement", static_cast<bool>(line), line ? *line : line.error().what});
    std::ranges::move(check_subjects(options, *statement), std::back_inserter(checks));
  }
  return verdict(out, print(out, "certificate", checks));
}

}  // namespace

int verify_command(const VerifyOptions& options, std::ostream& out, std::ostream& error) {
  std::error_code none;
  if (std::filesystem::is_directory(options.path, none)) return verify_folder(options, out, error);
  if (may_be_statement(options.path)) {
    const auto text = read_text(options.path, "the certificate", nullptr, most_of_a_file);
    if (!text) return complain(error, text.error().what);
    if (looks_like_envelope(*text)) return verify_envelope(options, *text, out, error);
    if (name_of_subject(*text, {}))
      return complain(error,
                      printable(options.path) +
                          " is a statement without a signature, which proves nothing by itself; verify the "
                          "bundle, or the signed statement");
  }
  if (!options.key.empty() || !options.binary.empty())
    return complain(error,
                    "--key and --binary are for a certificate, and " + printable(options.path) + " is none");
  std::vector<RecordedRun> recorded;
  const auto runs = verify_records(options.path, listener_for(options, recorded));
  if (!runs) return complain(error, runs.error().what);
  return verify_runs(options, *runs, recorded, true, out, error);
}

}  // namespace certile::conformance
