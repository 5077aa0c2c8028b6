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

namespace {

// Adds the runs of a file of records, to be compared with.
Result<Done> add_earlier_runs(HtmlReport& report, const std::string& path) {
  const auto runs = read_runs(path, {[&report](const RunHeader& header) { report.begin(header, true); },
                                     [&report](const Record& record) { report.add(record); }});
  if (!runs) return runs.error();
  for (const Summary& run : *runs)
    report.close(run);
  return Done{};
}

}  // namespace

std::vector<NamedFile> PageOptions::inputs() const {
  std::vector<NamedFile> files;
  for (const std::string& each : against)
    files.push_back({"the records " + printable(each), each});
  for (const std::string& each : benchmarks)
    files.push_back({"the benchmark " + printable(each), each});
  return files;
}

Result<PageFile> PageFile::open(const PageOptions& options) {
  PageFile page;
  page.path_ = options.path;
  if (options.path.empty() && options.inputs().empty()) return page;
  if (options.path.empty())
    return Error{Error::Code::bad_literal, "--against and --bench are for a page; name its file with --html"};
  page.report_.emplace();
  for (const std::string& path : options.against)
    if (auto done = add_earlier_runs(*page.report_, path); !done) return done.error();
  for (const std::string& path : options.benchmarks)
    if (auto done = page.report_->add_benchmark(path); !done) return done.error();
  return page;
}

RecordListener PageFile::listener() {
  if (!report_) return {};
  return {[this](const RunHeader& header) { begin(header); }, [this](const Record& record) { add(record); }};
}

void PageFile::begin(const RunHeader& header) {
  if (report_) report_->begin(header);
}

void PageFile::add(const Record& record) {
  if (report_) report_->add(record);
}

void PageFile::close(const Summary& summary) {
  if (report_) report_->close(summary);
}

void PageFile::add_unstarted(const Summary& summary) {
  begin(summary.header());
  close(summary);
}

bool PageFile::write(std::ostream& error) const {
  if (!report_) return true;
  const auto done = report_->write(path_);
  if (!done) error << "certile: " << printable(done.error().what) << std::endl;
  return static_cast<bool>(done);
}

namespace files = std::filesystem;

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
