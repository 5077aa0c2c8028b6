#include "conformance/cli/verify_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <system_error>
#include <utility>

#include "conformance/certificate/bundle.hpp"
#include "conformance/certificate/envelope.hpp"
#include "conformance/certificate/statement_reader.hpp"
#include "conformance/cli/complain.hpp"
#include "conformance/cli/replay.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/interrupt.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/whole_number.hpp"

namespace certile::conformance {
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

}  // namespace

VerifyCommand::VerifyCommand(CLI::App& app)
    : command_(*app.add_subcommand(
          "verify",
          "Check a bundle or a signed certificate, or recompute the results in a file of records")) {
  command_
      .add_option("PATH", path_,
                  "A folder that `certify --bundle` wrote, or the file of --certificate or --records")
      ->required()
      ->type_name("");
  command_.add_option("--key", key_, "The public key of the signer, in a file in PEM")->type_name("PUB");
  command_.add_option("--binary", binary_, "A file that the certificate must be about")->type_name("FILE");
  auto* replay = command_.add_option("--replay", backend_, "Ask this backend one case in a hundred again")
                     ->type_name("BACKEND");
  command_.add_option("--replay-seed", seed_, "The number that chooses these cases; a random one by default")
      ->check(whole_number())
      ->type_name("NUMBER")
      ->needs(replay);
}

Result<std::optional<Key>> VerifyCommand::read_key() const {
  if (key_.empty()) return std::optional<Key>();
  auto key = Key::read_public(key_);
  if (!key) return key.error();
  return std::optional<Key>(*std::move(key));
}

std::vector<Check> VerifyCommand::check_subjects(const std::string& statement) const {
  if (binary_.empty()) return {};
  const auto content = read_text(binary_, "the binary");
  if (!content) return {{"binary", false, content.error().what}};
  const std::string digest = sha256_hex(*content);
  const auto named = name_of_subject(statement, digest);
  if (!named)
    return {{"binary", false,
             "the certificate is not about " + printable(binary_) + ", whose SHA-256 is " + digest}};
  return {{"binary", true, printable(binary_) + " is " + printable(*named)}};
}

int VerifyCommand::execute(std::ostream& out, std::ostream& error) const {
  std::error_code none;
  if (std::filesystem::is_directory(path_, none)) return verify_folder(out, error);
  if (may_be_statement(path_)) {
    const auto text = read_text(path_, "the certificate");
    if (!text) return complain(error, text.error().what);
    if (looks_like_envelope(*text)) return verify_envelope(*text, out, error);
    if (name_of_subject(*text, {}))
      return complain(error,
                      printable(path_) +
                          " is a statement without a signature, which proves nothing by itself; verify the "
                          "bundle, or the signed statement");
  }
  if (!key_.empty() || !binary_.empty())
    return complain(error, "--key and --binary are for a certificate, and " + printable(path_) + " is none");
  const auto runs = verify_records(path_);
  return runs ? verify_runs(*runs, true, out, error) : complain(error, runs.error().what);
}

int VerifyCommand::verify_folder(std::ostream& out, std::ostream& error) const {
  const auto bundle = read_bundle(path_);
  if (!bundle) return complain(error, bundle.error().what);
  const auto key = read_key();
  if (!key) return complain(error, key.error().what);
  const Key* given = *key ? &**key : nullptr;
  const BundleVerification verified = verify_bundle(*bundle, given);
  if (!print(out, "bundle", verified.checks)) return verdict(out, false);
  const auto statement = given != nullptr ? opened(bundle->at(envelope_file), *given)
                                          : Result<std::string>(bundle->at(statement_file));
  const std::vector<Check> subjects = check_subjects(*statement);
  const bool is_binary = subjects.empty() || print(out, "subject", subjects);
  return verify_runs({*verified.run}, is_binary, out, error);
}

int VerifyCommand::verify_envelope(const std::string& text, std::ostream& out, std::ostream& error) const {
  if (!backend_.empty()) return complain(error, "--replay needs the records: verify the bundle");
  const auto key = read_key();
  if (!key) return complain(error, key.error().what);
  if (!*key)
    return complain(error, printable(path_) + " is signed; give the public key of its signer with --key");
  const auto statement = opened(text, **key);
  std::vector<Check> checks{{"signature", static_cast<bool>(statement),
                             statement ? "by the key " + (*key)->id() : statement.error().what}};
  if (statement) {
    const auto line = line_of_statement(*statement);
    checks.push_back({"statement", static_cast<bool>(line), line ? *line : line.error().what});
    std::ranges::move(check_subjects(*statement), std::back_inserter(checks));
  }
  return verdict(out, print(out, "certificate", checks));
}

int VerifyCommand::verify_runs(const std::vector<Verification>& runs, bool holds_so_far, std::ostream& out,
                               std::ostream& error) const {
  std::vector<std::string> limits;
  for (const Verification& run : runs) {
    holds_so_far = print(out, run.run, run.checks) && holds_so_far;
    if (!run.limited_to.empty()) limits.push_back(run.limited_to + " alone");
  }
  if (backend_.empty()) return verdict(out, holds_so_far, limits);
  watch_for_interrupts();
  RunOptions options;
  options.isolate.spelling = backend_;
  options.asks_again = false;
  options.interrupted = options.isolate.interrupted = &interrupted();
  const auto checks = replay(path_, options, seed_ ? *seed_ : std::random_device{}());
  if (interrupted().load()) return exit_interrupted;
  if (!checks) return complain(error, checks.error().what);
  return verdict(out, print(out, "replay", *checks) && holds_so_far, limits);
}

}  // namespace certile::conformance
