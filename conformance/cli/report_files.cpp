#include "conformance/cli/report_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "conformance/certificate/bundle.hpp"
#include "conformance/certificate/envelope.hpp"
#include "conformance/certificate/statement.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {

namespace files = std::filesystem;

std::vector<NamedFile> PageOptions::inputs() const {
  std::vector<NamedFile> inputs;
  for (const std::string& each : against)
    inputs.push_back({"the records " + printable(each), each});
  return inputs;
}

Result<PageFile> PageFile::open(const PageOptions& options) {
  if (options.path.empty() && !options.against.empty())
    return Error{Error::Code::bad_literal, "--against is for a page; name its file with --html"};
  PageFile page;
  page.path_ = options.path;
  for (const std::string& path : options.against) {
    auto runs = read_runs(path, page.listener(path));
    if (!runs) return runs.error();
    for (Summary& run : *runs)
      page.close(page.earlier_.emplace_back(std::move(run)), {});
  }
  for (Run& run : page.runs_)
    run.shown.is_earlier = true;
  return page;
}

RecordListener PageFile::listener(const std::string& records) {
  return {[this, records](const RunHeader& header) { begin(header, records); },
          [this](const Record& record) { add(record); }};
}

void PageFile::begin(const RunHeader& header, const std::string& records) {
  if (path_.empty()) return;
  Run& run = runs_.emplace_back(Run{header.claim.name});
  run.shown.records = records == "-" ? "" : records;
  for (std::size_t number = 0; number + 1 < runs_.size(); ++number)
    if (runs_[number].backend == run.backend) run.shown.before = number;
  if (run.shown.before) run.comparer.emplace(runs_[*run.shown.before].verdicts, shown_of_a_kind);
}

void PageFile::add(const Record& record) {
  if (path_.empty()) return;
  Run& run = runs_.back();
  run.verdicts.add(record);
  if (run.comparer) run.comparer->add(record);
}

void PageFile::show(const Record& failure, const CloserLook& look, const std::string& pattern) {
  if (path_.empty()) return;
  runs_.back().shown.looks[failure.literal] = look;
  runs_.back().shown.confirmed[std::string(failure.now().charged)] = pattern;
}

void PageFile::close(const Summary& summary, FailurePatterns patterns) {
  if (path_.empty()) return;
  Run& run = runs_[closed_++];
  run.patterns = std::move(patterns);
  run.shown.summary = &summary;
  run.shown.patterns = &run.patterns;
  if (run.comparer) run.shown.changes = run.comparer->close(*runs_[*run.shown.before].shown.summary, summary);
}

void PageFile::add_unstarted(const Summary& summary) {
  begin(summary.header(), "");
  close(summary, {});
}

bool PageFile::write(std::ostream& error) const {
  if (path_.empty()) return true;
  std::vector<PageRun> shown;
  for (std::size_t number = 0; number < closed_; ++number)  // the last one may have ended before its summary
    shown.push_back(runs_[number].shown);
  const auto done = write_whole_file(path_, page_of(shown));
  if (!done) error << "certile: " << printable(done.error().what) << std::endl;
  return static_cast<bool>(done);
}

std::vector<NamedFile> CertificateFiles::named() const {
  return {{"--certificate", certificate}, {"--bundle", bundle}};
}

std::optional<std::string> CertificateFiles::prepare() const {
  if (!are_requested()) {
    if (key.empty()) return std::nullopt;
    return "--sign signs what --certificate or --bundle writes; give one of them";
  }
  if (!key.empty())
    if (const auto read = Key::read_private(key); !read) return read.error().what;
  std::error_code failed;
  if (files::is_regular_file(certificate, failed)) {
    if (!key.empty() && files::equivalent(certificate, key, failed))
      return "--certificate " + printable(certificate) + " would be written over the key; name another file";
    files::remove(certificate, failed);
  }
  if (bundle.empty()) return std::nullopt;
  if (auto why = no_place_for_bundle(bundle)) return why;
  const bool is_new = files::create_directories(bundle, failed);
  if (failed) return "cannot write " + printable(bundle) + ": " + failed.message();
  const std::string manifest = (files::path(bundle) / manifest_file).string();
  if (const auto can = check_place(manifest); !can) return can.error().what;
  files::remove(manifest, failed);
  if (is_new) files::remove(bundle, failed);  // a run that is not certified leaves no folder
  return std::nullopt;
}

int CertificateFiles::write(const std::vector<const Summary*>& all, const std::string& records,
                            std::ostream& out, std::ostream& error) const {
  if (!are_requested()) return exit_conformant;
  std::optional<std::string> why;
  if (all.size() != 1)
    why = "it is about one backend, and " + std::to_string(all.size()) + " were judged";
  else
    why = no_certificate_because(*all.front());
  if (why) return complain(error, "no certificate is written, because " + *why, exit_not_conformant);
  const auto read = key.empty() ? std::nullopt : std::optional(Key::read_private(key));
  if (read && !*read) return complain(error, read->error().what, exit_bad_command);
  const Key* signing = read ? &**read : nullptr;
  const auto written = write_files(*all.front(), records, signing);
  if (!written) return complain(error, written.error().what, exit_bad_command);
  out << "certificate: " << certificate_line(*all.front())
      << (signing != nullptr ? "; signed by " + signing->id() : std::string("; not signed")) << std::endl;
  return exit_conformant;
}

Result<Done> CertificateFiles::write_files(const Summary& summary, const std::string& records,
                                           const Key* signing) const {
  if (!bundle.empty()) {
    std::ifstream lines(records, std::ios::binary);
    std::string waivers;
    if (const std::string& path = summary.header().waivers.path; !path.empty()) {
      auto text = read_text(path, "the waivers");
      if (!text) return text.error();
      waivers = *std::move(text);
    }
    const auto made = make_bundle(summary, lines, waivers, signing);
    if (!made) return made.error();
    if (auto done = write_bundle(bundle, *made); !done) return done;
  }
  if (certificate.empty()) return Done{};
  const std::string statement = statement_of(summary);
  const auto text = signing != nullptr ? enveloped(statement, *signing) : Result<std::string>(statement);
  if (!text) return text.error();
  return write_whole_file(certificate, *text);
}

Result<RunRecords> RunRecords::open(const std::string& path, const CertificateFiles& certificate) {
  std::error_code none;
  const bool can_be_read_again =
      path != "-" && (!files::exists(path, none) || files::is_regular_file(path, none));
  if (!can_be_read_again && !certificate.bundle.empty())
    return Error{Error::Code::io, "--bundle reads the records again; name a file for --records, or none"};
  RunRecords records;
  records.path_ = path;
  if (path.empty() && !certificate.bundle.empty()) {
    std::error_code failed;
    std::string name = (files::temp_directory_path(failed) / "certile-XXXXXX").string();
    records.unnamed_ = failed ? -1 : mkostemp(name.data(), O_CLOEXEC);
    if (records.unnamed_ < 0)
      return Error{Error::Code::io, "cannot write a temporary file: " +
                                        (failed ? failed.message() : std::string(std::strerror(errno)))};
    unlink(name.c_str());
    records.path_ = "/proc/self/fd/" + std::to_string(records.unnamed_);
  } else if (path.empty() && certificate.are_requested()) {
    records.path_ = "/dev/null";
  }
  if (records.path_.empty()) return records;
  auto writer = RecordWriter::open(records.path_);
  if (!writer) return writer.error();
  records.writer_ = *std::move(writer);
  return records;
}

RunRecords::RunRecords(RunRecords&& other) noexcept
    : path_(std::move(other.path_)),
      writer_(std::move(other.writer_)),
      unnamed_(std::exchange(other.unnamed_, -1)) {}

RunRecords& RunRecords::operator=(RunRecords&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(writer_, other.writer_);
  std::swap(unnamed_, other.unnamed_);
  return *this;
}

RunRecords::~RunRecords() {
  if (unnamed_ >= 0) close(unnamed_);
}

std::vector<NamedFile> ReportFiles::named() const {
  std::vector<NamedFile> files;
  for (std::size_t index = 0; index < paths.size(); ++index)
    files.push_back({"--" + std::string(all_formats()[index].name), paths[index]});
  files.push_back({"--html", page.path});
  for (NamedFile& file : certificate.named())
    files.push_back(std::move(file));
  return files;
}

std::optional<std::string> ReportFiles::prepare() const {
  for (const NamedFile& file : named()) {
    if (file.path.empty() || file.path == certificate.bundle) continue;
    if (const auto can = check_place(file.path); !can) return file.as + ": " + can.error().what;
  }
  return certificate.prepare();
}

int ReportFiles::write_all(const std::vector<const Summary*>& all, const std::vector<const Summary*>& started,
                           const std::string& records, std::ostream& out, std::ostream& error) const {
  bool written = true;
  for (std::size_t index = 0; index < paths.size(); ++index) {
    const Format& format = all_formats()[index];
    if (paths[index].empty()) continue;
    const auto done = format.write(paths[index], format.shows_unstarted ? all : started);
    if (done) continue;
    error << "certile: " << printable(done.error().what) << std::endl;
    written = false;
  }
  const int certified = certificate.write(all, records, out, error);
  return written ? certified : exit_bad_command;
}

}  // namespace certile::conformance
