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
#include "conformance/cli/commands.hpp"
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

// The part of the records of a run that a replay needs.
struct RecordedRun {
  // The verdict on a case, as the judge found it at first: a later finding depends on more than the case.
  struct Recorded {
    std::string literal;
    Verdict verdict;
    Fault fault;
  };
  RunHeader header;
  std::vector<Recorded> cases;
};

Check binary_check(const RunHeader& header, const Claim& claim, const std::string& spelling) {
  const auto files = JudgedFiles::of(spelling);
  if (const auto why = files ? unknown_file_of(spelling, files->parts()) : std::nullopt)
    return {"binary", false, "it is not known which files " + printable(spelling) + " runs: " + *why};
  const std::string digest = files ? files->digest(claim) : files.error().what;
  if (digest == header.backend_digest) return {"binary", true, "the one of the records"};
  return {"binary", false,
          printable(spelling) + " is not the one of the records: its SHA-256 is " + printable(digest)};
}

// Asks a backend one in a hundred of the cases of the run again, which `seed` chooses, and compares the
// judge's verdicts.  The checks: the binary is the one of the records, it claims the same, and the verdicts
// are the same.  Error: io if the backend cannot be started.
Result<std::vector<Check>> replay(const RecordedRun& run, const RunOptions& options, std::uint64_t seed) {
  const Started started = start_backend(options.isolate);
  if (!started.claim) return Error{Error::Code::io, started.failure->sentence};
  std::vector<Check> checks{binary_check(run.header, *started.claim, options.isolate.spelling)};
  const bool claims_the_same = *started.claim == run.header.claim;
  checks.push_back({"claim", claims_the_same,
                    claims_the_same ? "the one of the records" : "the backend claims something else"});

  constexpr std::size_t one_in = 100;
  std::vector<RecordedRun::Recorded> chosen;
  std::ranges::sample(run.cases, std::back_inserter(chosen),
                      static_cast<std::ptrdiff_t>((run.cases.size() + one_in - 1) / one_in),
                      std::mt19937_64(seed));
  Plan plan;
  std::map<std::string, const RecordedRun::Recorded*> recorded;
  for (const auto& each : chosen) {
    TRY(auto planned, parse_planned_case(each.literal));
    plan.cases.push_back(std::move(planned));
    recorded[each.literal] = &each;
  }
  std::string wrong;
  std::int64_t wrongs = 0;
  const auto asked = run_plan(plan, options, [&](const Record& record) {
    const auto& before = *recorded.at(record.literal);
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

// Returns true if a regular file begins as records do not: a statement, or something else that is no records.
bool may_be_statement(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  std::string beginning(9, '\0');
  std::ifstream(path).read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return beginning.starts_with('{') && beginning != "{\"header\"";
}

// A verification under way.
class Verifier {
 public:
  Verifier(const VerifyOptions& options, std::ostream& out, std::ostream& error)
      : options_(options), out_(out), error_(error) {}

  int run() {
    std::error_code none;
    if (std::filesystem::is_directory(options_.path, none)) return verify_folder();
    if (may_be_statement(options_.path)) {
      const auto text = read_text(options_.path, "the certificate", nullptr, most_of_a_file);
      if (!text) return fail(text.error().what);
      if (looks_like_envelope(*text)) return verify_envelope(*text);
      if (name_of_subject(*text, {}))
        return fail(
            printable(options_.path) +
            " is a statement without a signature, which proves nothing by itself; verify the bundle, or "
            "the signed statement");
    }
    if (!options_.key.empty() || !options_.binary.empty())
      return fail("--key and --binary are for a certificate, and " + printable(options_.path) + " is none");
    const auto runs = verify_records(options_.path, listener());
    if (!runs) return fail(runs.error().what);
    return verify_runs(*runs, true);
  }

 private:
  int fail(const std::string& sentence) { return complain(error_, sentence); }

  // Prints the checks, and returns true if all of them hold.
  bool print(const std::string& title, const std::vector<Check>& checks) {
    out_ << title << '\n';
    for (const Check& check : checks)
      out_ << fmt::format("  {}  {:<12} {}\n", check.holds ? "holds" : "WRONG", check.subject,
                          check.sentence);
    return std::ranges::all_of(checks, &Check::holds);
  }

  // Prints the last line; `limits` are the shards that are not a whole run.
  int verdict(bool all_hold, const std::vector<std::string>& limits = {}) {
    out_ << (all_hold ? "VERIFIED" : "NOT VERIFIED");
    if (all_hold && !limits.empty())
      out_ << ", of " << joined(limits, ", ")
           << ": no certificate of an implementation; certile merge makes one run of all";
    out_ << '\n';
    return all_hold ? exit_conformant : exit_not_conformant;
  }

  // Reads the public key, if there is one.
  Result<Done> read_key() {
    if (options_.key.empty()) return Done{};
    TRY(auto key, Key::read_public(options_.key));
    key_ = std::move(key);
    return Done{};
  }

  // Returns a listener that keeps what a replay needs, if one is requested.
  RecordListener listener() {
    if (options_.backend.empty()) return {};
    return {[this](const RunHeader& header) {
              recorded_.push_back({header, {}});
            },
            [this](const Record& record) {
              const Judgement& judged = record.judged;
              if (record.law.empty() && judged.verdict != Verdict::not_run)
                recorded_.back().cases.push_back({record.literal, judged.verdict, judged.fault});
            }};
  }

  // Returns the check of --binary, if there is one.
  std::vector<Check> check_subjects(const std::string& statement) const {
    if (options_.binary.empty()) return {};
    const auto content = read_text(options_.binary, "the binary");
    if (!content) return {{"binary", false, content.error().what}};
    const std::string digest = sha256_hex(*content), binary = printable(options_.binary);
    if (const auto named = name_of_subject(statement, digest))
      return {{"binary", true, binary + " is " + printable(*named)}};
    return {{"binary", false, "the certificate is not about " + binary + ", whose SHA-256 is " + digest}};
  }

  int verify_runs(const std::vector<Verification>& runs, bool holds_so_far) {
    std::vector<std::string> limits;
    for (const Verification& each : runs) {
      holds_so_far = print(each.run, each.checks) && holds_so_far;
      if (!each.limited_to.empty()) limits.push_back(each.limited_to + " alone");
    }
    if (options_.backend.empty()) return verdict(holds_so_far, limits);
    if (recorded_.size() != 1)
      return fail("--replay is for the records of one run, and there are " +
                  std::to_string(recorded_.size()));
    watch_for_interrupts();
    RunOptions run;
    run.isolate.spelling = options_.backend;
    run.asks_again = false;
    run.interrupted = run.isolate.interrupted = &interrupted();
    const auto checks =
        replay(recorded_.front(), run, options_.seed ? *options_.seed : std::random_device{}());
    if (interrupted().load()) return exit_interrupted;
    if (!checks) return fail(checks.error().what);
    return verdict(print("replay", *checks) && holds_so_far, limits);
  }

  int verify_folder() {
    const auto bundle = read_bundle(options_.path);
    if (!bundle) return fail(bundle.error().what);
    if (const auto read = read_key(); !read) return fail(read.error().what);
    const BundleVerification verified = verify_bundle(*bundle, key_ ? &*key_ : nullptr, listener());
    if (!print("bundle", verified.checks)) return verdict(false);
    const auto statement =
        key_ ? opened(bundle->at(envelope_file), *key_) : Result<std::string>(bundle->at(statement_file));
    const std::vector<Check> subjects = check_subjects(*statement);
    const bool is_binary = subjects.empty() || print("subject", subjects);
    return verify_runs({*verified.run}, is_binary);
  }

  int verify_envelope(const std::string& text) {
    if (!options_.backend.empty()) return fail("--replay needs the records: verify the bundle");
    if (const auto read = read_key(); !read) return fail(read.error().what);
    if (!key_)
      return fail(printable(options_.path) + " is signed; give the public key of its signer with --key");
    const auto statement = opened(text, *key_);
    std::vector<Check> checks{{"signature", static_cast<bool>(statement),
                               statement ? "by the key " + key_->id() : statement.error().what}};
    if (statement) {
      const auto line = line_of_statement(*statement);
      checks.push_back({"statement", static_cast<bool>(line), line ? *line : line.error().what});
      std::ranges::move(check_subjects(*statement), std::back_inserter(checks));
    }
    return verdict(print("certificate", checks));
  }

  const VerifyOptions& options_;
  std::ostream& out_;
  std::ostream& error_;
  std::optional<Key> key_;
  std::vector<RecordedRun> recorded_;
};

}  // namespace

int verify_command(const VerifyOptions& options, std::ostream& out, std::ostream& error) {
  return Verifier(options, out, error).run();
}

}  // namespace certile::conformance
