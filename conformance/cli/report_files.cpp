#include "conformance/cli/report_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {

namespace files = std::filesystem;

namespace {

// Follows links whose target does not exist yet.
files::path end_of_links(files::path path) {
  constexpr int most_links = 40;  // the limit of the system
  std::error_code failed;
  for (int followed = 0; followed < most_links && files::is_symlink(path, failed); ++followed) {
    const files::path target = files::read_symlink(path, failed);
    if (failed) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

// Returns the identity of a file: its device and number if it exists, else the path that it will have.
// Returns nothing for standard output, a pipe or a device, which several outputs may share.
std::string identity_of(const std::string& path) {
  if (path.empty() || path == "-") return {};
  struct stat status;
  if (stat(path.c_str(), &status) == 0)
    return S_ISREG(status.st_mode) ? std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) : "";
  std::error_code failed;
  const files::path absolute = files::absolute(end_of_links(path), failed);
  const files::path whole = failed ? absolute : files::weakly_canonical(absolute, failed);
  return (failed ? absolute : whole).string();
}

}  // namespace

void add_named(std::vector<NamedFile>& files, const std::string& as, const std::vector<std::string>& paths) {
  for (const std::string& path : paths)
    files.push_back({as + " " + printable(path), path});
}

std::optional<std::string> conflict_of(const std::vector<NamedFile>& outputs,
                                       const std::vector<NamedFile>& inputs) {
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    const NamedFile& output = outputs[index];
    for (std::size_t other = 0; other < index && output.path == "-"; ++other)
      if (outputs[other].path == "-")
        return outputs[other].as + " and " + output.as +
               " both go to standard output; name a file for one of them";
    const files::path folder = files::path(output.path).parent_path();
    std::error_code none;
    if (!folder.empty() && !files::is_directory(folder, none))  // the run would be for nothing
      return output.as + " " + printable(output.path) + " cannot be written: there is no folder " +
             printable(folder.string());
    const std::string identity = identity_of(output.path);
    if (identity.empty()) continue;
    for (const NamedFile& input : inputs)
      if (identity_of(input.path) == identity)
        return output.as + " " + printable(output.path) + " would be written over " + input.as +
               "; name another file";
    for (std::size_t other = 0; other < index; ++other)
      if (identity_of(outputs[other].path) == identity)
        return outputs[other].as + " and " + output.as + " are the same file, " + printable(output.path) +
               "; name a separate file for each";
  }
  return std::nullopt;
}

Result<PageFile> PageFile::open(const PageOptions& options) {
  if (options.path.empty() && !options.against.empty())
    return Error{Error::Code::bad_literal, "--against is for a page; name its file with --html"};
  PageFile page;
  page.path_ = options.path;
  for (const std::string& path : options.against) {
    TRY(auto runs, read_runs(path, page.listener(path)));
    for (Summary& run : runs)
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

Result<Done> PageFile::write() const {
  if (path_.empty()) return Done{};
  std::vector<PageRun> shown;
  for (std::size_t number = 0; number < closed_; ++number)  // the last one may have ended before its summary
    shown.push_back(runs_[number].shown);
  return write_whole_file(path_, page_of(shown));
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
      TRY(auto text, read_text(path, "the waivers"));
      waivers = std::move(text);
    }
    TRY(const auto made, make_bundle(summary, lines, waivers, signing));
    if (auto done = write_bundle(bundle, made); !done) return done;
  }
  if (certificate.empty()) return Done{};
  const std::string statement = statement_of(summary);
  TRY(const auto text, signing != nullptr ? enveloped(statement, *signing) : Result<std::string>(statement));
  return write_whole_file(certificate, text);
}

Result<RunRecords> RunRecords::open(const std::string& path, const CertificateFiles& certificate) {
  std::error_code none;
  const bool can_be_read_again =
      path != "-" && (!files::exists(path, none) || files::is_regular_file(path, none));
  if (!can_be_read_again && !certificate.bundle.empty())
    return Error{Error::Code::io, "--bundle reads the records again; name a file for --records, or none"};
  RunRecords records;
  records.path = path;
  if (path.empty() && !certificate.bundle.empty()) {
    std::error_code failed;
    std::string name = (files::temp_directory_path(failed) / "certile-XXXXXX").string();
    records.unnamed = Descriptor(failed ? -1 : mkostemp(name.data(), O_CLOEXEC));
    if (records.unnamed.number() < 0)
      return Error{Error::Code::io, "cannot write a temporary file: " +
                                        (failed ? failed.message() : std::string(std::strerror(errno)))};
    unlink(name.c_str());
    records.path = "/proc/self/fd/" + std::to_string(records.unnamed.number());
  } else if (path.empty() && certificate.are_requested()) {
    records.path = "/dev/null";
  }
  if (records.path.empty()) return records;
  TRY(auto writer, RecordWriter::open(records.path));
  records.writer = std::move(writer);
  return records;
}

std::vector<NamedFile> ReportFiles::named() const {
  std::vector<NamedFile> files;
  for (std::size_t index = 0; index < paths.size(); ++index)
    files.push_back({"--" + std::string(all_formats()[index].name), paths[index]});
  files.push_back({"--html", page.path});
  files.push_back({"--certificate", certificate.certificate});
  files.push_back({"--bundle", certificate.bundle});
  return files;
}

bool ReportFiles::has_standard_output() const {
  return std::ranges::any_of(named(), [](const NamedFile& file) { return file.path == "-"; });
}

std::optional<std::string> ReportFiles::prepare(std::vector<NamedFile> other,
                                                std::vector<NamedFile> inputs) const {
  const std::vector<NamedFile> outputs = named();
  other.insert(other.end(), outputs.begin(), outputs.end());
  add_named(inputs, "the records", page.against);
  if (auto conflict = conflict_of(other, inputs)) return conflict;
  for (const NamedFile& file : outputs) {
    if (file.path.empty() || file.path == certificate.bundle) continue;
    if (const auto can = check_place(file.path); !can) return file.as + ": " + can.error().what;
  }
  return certificate.prepare();
}

int ReportFiles::write_all(const std::vector<const Summary*>& all, const std::vector<const Summary*>& started,
                           const std::string& records, const PageFile& html, std::ostream& out,
                           std::ostream& error) const {
  bool all_written = true;
  const auto take = [&](const Result<Done>& done) {
    if (!done) complain(error, done.error().what);
    all_written = all_written && done;
  };
  for (std::size_t index = 0; index < paths.size(); ++index) {
    const Format& format = all_formats()[index];
    if (!paths[index].empty()) take(format.write(paths[index], format.shows_unstarted ? all : started));
  }
  const int certified = certificate.write(all, records, out, error);
  take(html.write());
  return all_written ? certified : exit_bad_command;
}

}  // namespace certile::conformance
