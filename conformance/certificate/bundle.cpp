#include "conformance/certificate/bundle.hpp"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "conformance/certificate/envelope.hpp"
#include "conformance/certificate/statement.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/records/records_input.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

Error broken(const std::string& why) {
  return {Error::Code::io, why};
}

// The bytes of a file in zstd's format, and the SHA-256 of what they stand for.
struct Compressed {
  std::string bytes, digest;
};

Result<Compressed> compressed(std::istream& text) {
  struct Free {
    void operator()(ZSTD_CCtx* freed) const { ZSTD_freeCCtx(freed); }
  };
  const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  if (!context) return broken("zstd has no memory");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  Compressed done;
  Sha256 digest;
  std::vector<char> piece(ZSTD_CStreamInSize()), packed(ZSTD_CStreamOutSize());
  for (bool is_last = false; !is_last;) {
    text.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    ZSTD_inBuffer in{piece.data(), static_cast<std::size_t>(text.gcount()), 0};
    digest.add({piece.data(), in.size});
    is_last = in.size < piece.size();
    for (std::size_t left = 1; is_last ? left != 0 : in.pos < in.size;) {
      ZSTD_outBuffer out{packed.data(), packed.size(), 0};
      left = ZSTD_compressStream2(context.get(), &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0)
        return broken(std::string("zstd cannot compress the records: ") + ZSTD_getErrorName(left));
      done.bytes.append(packed.data(), out.pos);
    }
  }
  done.digest = digest.hex();
  return done;
}

// Returns the files of a bundle that follow from the records alone, but for the statement.
Bundle files_of_run(const Summary& summary) {
  return {{environment_file, environment_of(summary)},
          {plan_file, plan_of(summary)},
          {repro_file, repro_of(summary)}};
}

bool is_of_bundle(const std::string& name) {
  constexpr std::array names{bundled_records, environment_file, plan_file,     waivers_file,
                             repro_file,      statement_file,   envelope_file, manifest_file};
  return std::ranges::any_of(names, [&name](std::string_view each) { return each == name; });
}

// More than a bundle has, so that one of them is no file of a bundle.
constexpr std::size_t most_names = 100;

// Returns the names in a folder, sorted, or as many as it takes to see that it is no bundle; none if it does
// not exist.
Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (files::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (names.size() < most_names) names.push_back(entry->path().filename().string());
  if (failed && failed != std::errc::no_such_file_or_directory)
    return Error{Error::Code::io, "cannot read " + printable(folder) + ": " + failed.message()};
  std::ranges::sort(names);
  return names;
}

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
  // A check returns a sentence about what holds, or an error about what is wrong.
  using Holds = Result<std::string>;

  bool check(std::string_view subject, Holds (BundleChecker::*checked)()) {
    const Holds holds = (this->*checked)();
    checks_.push_back({subject, static_cast<bool>(holds), holds ? *holds : holds.error().what});
    return checks_.back().holds;
  }

  static Error wrong(const std::string& why) { return {Error::Code::bad_literal, why}; }

  std::string statement_name() const { return key_ != nullptr ? envelope_file : statement_file; }

  Holds list() {
    const bool is_signed = bundle_.contains(envelope_file);
    if (is_signed && key_ == nullptr)
      return wrong("the statement is signed, and no key is given to verify it");
    if (!is_signed && key_ != nullptr)
      return wrong(std::string("there is no ") + envelope_file + ": the statement is not signed");
    std::vector<std::string> names{bundled_records, environment_file, plan_file,
                                   repro_file,      manifest_file,    statement_name()};
    for (const std::string& name : names)
      if (!bundle_.contains(name)) return wrong(name + " is missing");
    names.emplace_back(waivers_file);
    for (const auto& [name, content] : bundle_)
      if (std::ranges::find(names, name) == names.end())
        return wrong(printable(name) + " is no file of a bundle");
    return "the " + std::to_string(bundle_.size()) + " files of a bundle, and no other";
  }

  Holds digests() {
    std::istringstream said(bundle_.at(manifest_file)), right(manifest_of(bundle_));
    std::string said_line, right_line;
    for (int number = 1; std::getline(right, right_line); ++number) {
      if (!std::getline(said, said_line)) said_line.clear();
      if (said_line != right_line)
        return wrong(std::string(manifest_file) + ":" + std::to_string(number) + ": the SHA-256 of " +
                     right_line.substr(66) + " is " + right_line.substr(0, 64) + ", and the line says " +
                     printable(said_line));
    }
    if (bundle_.at(manifest_file) != manifest_of(bundle_))
      return wrong(std::string(manifest_file) + ": there is more than a line for each file");
    return "those that " + std::string(manifest_file) + " lists";
  }

  Holds signature() {
    const std::string& text = bundle_.at(statement_name());
    if (key_ == nullptr) {
      statement_ = text;
      return std::string("none: these files can be by anybody");
    }
    auto statement = opened(text, *key_);
    if (!statement) return wrong(std::string(envelope_file) + ": " + statement.error().what);
    statement_ = *std::move(statement);
    return "by the key " + key_->id();
  }

  Holds records() {
    if (auto error = lines()) return *error;
    std::istringstream packed(bundle_.at(bundled_records));
    int headers = 0;
    RecordListener one_run = also_;
    one_run.header = [&](const RunHeader& header) {
      ++headers;
      if (also_.header) also_.header(header);
    };
    one_run.has_enough = [&headers] { return headers > 1; };
    TRY(auto runs, verify_records(*decompressed(packed), bundled_records, one_run, most_lines));
    if (runs.size() != 1)
      return wrong(std::string(bundled_records) + " has " + std::to_string(runs.size()) +
                   " runs, and a bundle is of one");
    if (const Verification& run = runs.front(); run.is_given_up)
      return wrong(std::string(bundled_records) + ": " + run.checks.front().sentence);
    run_.emplace(std::move(runs.front()));
    return "a run of " + counted(run_->summary.recorded(), "record");
  }

  // Takes the digest of the lines, and looks at the header: a plan that no certificate is of may be endless.
  std::optional<Error> lines() {
    std::istringstream packed(bundle_.at(bundled_records));
    const auto plain = decompressed(packed);
    ForeignLines lines(*plain, bundled_records, most_lines);
    Sha256 digest;
    std::string line;
    Result<bool> next = lines.next(line);
    if (const auto header = header_in(next && *next ? line : std::string()); header && *header)
      if (const auto why = no_certificate_because(**header))
        return wrong("the records give no certificate: " + *why);
    for (; next && *next; next = lines.next(line)) {
      digest.add(line);
      digest.add("\n");
    }
    if (!next) return next.error();
    if (const std::string hex = digest.hex(); hex != digest_of_records(statement_))
      return wrong(std::string(bundled_records) + ": the SHA-256 of its lines is " + hex +
                   ", and the statement is about others");
    return std::nullopt;
  }

  Holds statement() {
    if (const auto why = no_certificate_because(run_->summary))
      return wrong("the records give no certificate: " + *why);
    if (auto error = differs(statement_name(), statement_, statement_of(run_->summary))) return *error;
    return certificate_line(run_->summary);
  }

  Holds files() {
    for (const auto& [name, content] : files_of_run(run_->summary))
      if (auto error = differs(name, bundle_.at(name), content)) return *error;
    return std::string("the statement and the other files follow from the records");
  }

  Holds waivers() {
    const RunHeader::Waivers& named = run_->summary.header().waivers;
    const auto found = bundle_.find(waivers_file);
    if ((found != bundle_.end()) == named.path.empty())
      return wrong(std::string(waivers_file) + (named.path.empty() ? " is there, and the run had none"
                                                                   : " is missing, and the run had some"));
    if (found == bundle_.end()) return std::string("the run had none");
    if (sha256_hex(found->second) != named.digest)
      return wrong(std::string(waivers_file) + ": its SHA-256 is not the one in the records");
    return counted(named.count, "waiver") + ", those of the run";
  }

  static std::optional<Error> differs(const std::string& name, const std::string& said,
                                      const std::string& right) {
    if (said == right) return std::nullopt;
    return wrong(name + ": byte " + std::to_string(first_difference(said, right)) +
                 " is not what follows from the records");
  }

  const Bundle& bundle_;
  const Key* key_;
  const RecordListener& also_;
  std::vector<Check> checks_;
  std::string statement_;
  std::optional<Verification> run_;
};

}  // namespace

std::string manifest_of(const Bundle& bundle) {
  std::string lines;
  for (const auto& [name, content] : bundle)
    if (name != manifest_file) lines += sha256_hex(content) + "  " + name + "\n";
  return lines;
}

Result<Bundle> make_bundle(const Summary& summary, std::istream& records, const std::string& waivers,
                           const Key* key) {
  TRY(auto packed, compressed(records));
  if (packed.digest != summary.records_digest())
    return broken("the file of records is not the one of this run alone, or was changed");
  const RunHeader::Waivers& named = summary.header().waivers;
  if (!named.path.empty() && sha256_hex(waivers) != named.digest)
    return broken(printable(named.path) + " was changed after the run");
  Bundle bundle = files_of_run(summary);
  bundle[bundled_records] = std::move(packed.bytes);
  if (!named.path.empty()) bundle[waivers_file] = waivers;
  if (key != nullptr) {
    TRY(auto envelope, enveloped(statement_of(summary), *key));
    bundle[envelope_file] = std::move(envelope);
  } else {
    bundle[statement_file] = statement_of(summary);
  }
  bundle[manifest_file] = manifest_of(bundle);
  return bundle;
}

std::optional<std::string> no_place_for_bundle(const std::string& folder) {
  const auto names = names_in(folder);
  if (!names) return names.error().what;
  for (const std::string& name : *names)
    if (!is_of_bundle(name))
      return printable(folder) + " has a file that is no part of a bundle, " + printable(name) +
             "; name a new or an empty folder";
  return std::nullopt;
}

Result<Done> write_bundle(const std::string& folder, const Bundle& bundle) {
  const auto cannot = [&](const std::error_code& why) {
    return Error{Error::Code::io, "cannot write " + printable(folder) + ": " + why.message()};
  };
  std::error_code failed;
  files::create_directories(folder, failed);
  if (failed) return cannot(failed);
  TRY(const auto before, names_in(folder));
  const auto remove = [&](const std::string& name) {
    if (!failed) files::remove(files::path(folder) / name, failed);
  };
  // Without a manifest the folder is no bundle, so what an interruption leaves cannot be taken for one.
  remove(manifest_file);
  for (const std::string& name : before)
    if (is_of_bundle(name)) remove(name);
  if (failed) return cannot(failed);
  const auto write = [&](const std::string& name) {
    return write_whole_file((files::path(folder) / name).string(), bundle.at(name));
  };
  for (const auto& [name, content] : bundle)
    if (name != manifest_file)
      if (auto written = write(name); !written) return written;
  return write(manifest_file);
}

Result<Bundle> read_bundle(const std::string& folder) {
  TRY(const auto names, names_in(folder));
  Bundle bundle;
  for (const std::string& name : names) {
    // The content of a foreign file does not matter, because its name is wrong.
    const std::size_t most = name == bundled_records ? most_compressed : most_of_a_file;
    TRY(auto content, is_of_bundle(name)
                          ? read_regular((files::path(folder) / name).string(), "the bundle's file", most)
                          : Result<std::string>(std::string()));
    bundle.emplace(name, std::move(content));
  }
  return bundle;
}

bool BundleVerification::holds() const noexcept {
  return std::ranges::all_of(checks, &Check::holds) && run && run->holds();
}

BundleVerification verify_bundle(const Bundle& bundle, const Key* key, const RecordListener& also) {
  return BundleChecker(bundle, key, also).run();
}

}  // namespace certile::conformance
