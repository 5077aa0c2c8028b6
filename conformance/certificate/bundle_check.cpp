#include "conformance/certificate/bundle_check.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "conformance/certificate/envelope.hpp"
#include "conformance/certificate/run_files.hpp"
#include "conformance/certificate/statement.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/records/records_input.hpp"
#include "conformance/records/verification.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

// The checks of a bundle, which end at the first that does not hold.
class BundleChecker {
 public:
  BundleChecker(const Bundle& bundle, const Key* key, const RecordListener& also)
      : bundle_(bundle), key_(key), also_(also) {}

  BundleVerification run() {
    static_cast<void>(check("list", &BundleChecker::list) && check("digests", &BundleChecker::digests) &&
                      check("signature", &BundleChecker::signature) &&
                      check("records", &BundleChecker::records) &&
                      check("statement", &BundleChecker::statement) &&
                      check("files", &BundleChecker::files) && check("waivers", &BundleChecker::waivers));
    return {std::move(checks_), std::move(run_)};
  }

 private:
  // A check returns a sentence about what is wrong, and sets `holds_` otherwise.
  using Wrong = std::optional<std::string>;

  bool check(std::string_view subject, Wrong (BundleChecker::*checked)()) {
    const Wrong wrong = (this->*checked)();
    checks_.push_back({subject, !wrong, wrong ? *wrong : std::exchange(holds_, {})});
    return !wrong;
  }

  std::string statement_name() const { return key_ != nullptr ? envelope_file : statement_file; }

  Wrong list() {
    const bool is_signed = bundle_.contains(envelope_file);
    if (is_signed && key_ == nullptr) return "the statement is signed, and no key is given to verify it";
    if (!is_signed && key_ != nullptr)
      return std::string("there is no ") + envelope_file + ": the statement is not signed";
    std::vector<std::string> names{bundled_records, environment_file, plan_file,
                                   repro_file,      manifest_file,    statement_name()};
    for (const std::string& name : names)
      if (!bundle_.contains(name)) return name + " is missing";
    names.emplace_back(waivers_file);
    for (const auto& [name, content] : bundle_)
      if (std::ranges::find(names, name) == names.end()) return printable(name) + " is no file of a bundle";
    holds_ = "the " + std::to_string(bundle_.size()) + " files of a bundle, and no other";
    return std::nullopt;
  }

  Wrong digests() {
    std::istringstream said(bundle_.at(manifest_file)), right(manifest_of(bundle_));
    std::string said_line, right_line;
    for (int number = 1; std::getline(right, right_line); ++number) {
      if (!std::getline(said, said_line)) said_line.clear();
      if (said_line != right_line)
        return std::string(manifest_file) + ":" + std::to_string(number) + ": the SHA-256 of " +
               right_line.substr(66) + " is " + right_line.substr(0, 64) + ", and the line says " +
               printable(said_line);
    }
    if (bundle_.at(manifest_file) != manifest_of(bundle_))
      return std::string(manifest_file) + ": there is more than a line for each file";
    holds_ = "those that " + std::string(manifest_file) + " lists";
    return std::nullopt;
  }

  Wrong signature() {
    const std::string& text = bundle_.at(statement_name());
    if (key_ == nullptr) {
      statement_ = text;
      holds_ = "none: these files can be by anybody";
      return std::nullopt;
    }
    auto statement = opened(text, *key_);
    if (!statement) return std::string(envelope_file) + ": " + statement.error().what;
    statement_ = *std::move(statement);
    holds_ = "by the key " + key_->id();
    return std::nullopt;
  }

  Wrong records() {
    if (auto wrong = lines()) return wrong;
    std::istringstream packed(bundle_.at(bundled_records));
    int headers = 0;
    RecordListener one_run = also_;
    one_run.header = [&](const RunHeader& header) {
      ++headers;
      if (also_.header) also_.header(header);
    };
    one_run.has_enough = [&headers] { return headers > 1; };
    auto runs = verify_records(*decompressed(packed), bundled_records, one_run, most_lines);
    if (!runs) return runs.error().what;
    if (runs->size() != 1)
      return std::string(bundled_records) + " has " + std::to_string(runs->size()) +
             " runs, and a bundle is of one";
    if (const Verification& run = runs->front(); run.is_given_up)
      return std::string(bundled_records) + ": " + run.checks.front().sentence;
    run_.emplace(std::move(runs->front()));
    holds_ = "a run of " + counted(run_->summary.recorded(), "record");
    return std::nullopt;
  }

  // Takes the digest of the lines, and looks at the header: a plan that no certificate is of may be endless.
  Wrong lines() {
    std::istringstream packed(bundle_.at(bundled_records));
    const auto plain = decompressed(packed);
    ForeignLines lines(*plain, bundled_records, most_lines);
    Sha256 digest;
    std::string line;
    Result<bool> next = lines.next(line);
    const Json json = foreign_json(next && *next ? std::string_view(line) : "");
    if (json.is_object() && json.contains("header"))
      if (const auto header = header_from_json(json); header)
        if (const auto why = no_certificate_because(*header))
          return "the records give no certificate: " + *why;
    for (; next && *next; next = lines.next(line)) {
      digest.add(line);
      digest.add("\n");
    }
    if (!next) return next.error().what;
    if (const std::string hex = digest.hex(); hex != digest_of_records(statement_))
      return std::string(bundled_records) + ": the SHA-256 of its lines is " + hex +
             ", and the statement is about others";
    return std::nullopt;
  }

  Wrong statement() {
    if (const auto why = no_certificate_because(run_->summary))
      return "the records give no certificate: " + *why;
    if (auto wrong = differs(statement_name(), statement_, statement_of(run_->summary))) return wrong;
    holds_ = certificate_line(run_->summary);
    return std::nullopt;
  }

  Wrong files() {
    for (const auto& [name, content] : files_of_run(run_->summary))
      if (auto wrong = differs(name, bundle_.at(name), content)) return wrong;
    holds_ = "the statement and the other files follow from the records";
    return std::nullopt;
  }

  Wrong waivers() {
    const RunHeader::Waivers& named = run_->summary.header().waivers;
    const auto found = bundle_.find(waivers_file);
    if ((found != bundle_.end()) == named.path.empty())
      return std::string(waivers_file) +
             (named.path.empty() ? " is there, and the run had none" : " is missing, and the run had some");
    if (found == bundle_.end()) {
      holds_ = "the run had none";
      return std::nullopt;
    }
    if (sha256_hex(found->second) != named.digest)
      return std::string(waivers_file) + ": its SHA-256 is not the one in the records";
    holds_ = counted(named.count, "waiver") + ", those of the run";
    return std::nullopt;
  }

  static Wrong differs(const std::string& name, const std::string& said, const std::string& right) {
    if (said == right) return std::nullopt;
    return name + ": byte " + std::to_string(first_difference(said, right)) +
           " is not what follows from the records";
  }

  const Bundle& bundle_;
  const Key* key_;
  const RecordListener& also_;
  std::vector<Check> checks_;
  std::string holds_, statement_;
  std::optional<Verification> run_;
};

}  // namespace

bool BundleVerification::holds() const noexcept {
  return std::ranges::all_of(checks, &Check::holds) && run && run->holds();
}

BundleVerification verify_bundle(const Bundle& bundle, const Key* key, const RecordListener& also) {
  return BundleChecker(bundle, key, also).run();
}

}  // namespace certile::conformance
