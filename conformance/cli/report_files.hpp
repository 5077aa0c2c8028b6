#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/certificate/key.hpp"
#include "conformance/page/page.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/input_file.hpp"

namespace certile::conformance {

// A file that a command line names, and its part there: "--junit".
struct NamedFile {
  std::string as, path;
};
// Adds files whose part is the same: "the corpus".
void add_named(std::vector<NamedFile>& files, const std::string& as, const std::vector<std::string>& paths);

// Returns a sentence if two outputs are the same file or an output is also an input, even by different paths
// or links, or two go to standard output, or the folder of one does not exist; else nothing.  Pipes and
// devices may be named several times.
std::optional<std::string> conflict_of(const std::vector<NamedFile>& outputs,
                                       const std::vector<NamedFile>& inputs);

// The options of the page of HTML.
struct PageOptions {
  std::string path;                  // --html; empty: no page
  std::vector<std::string> against;  // records of earlier runs, which the page compares with
};

// The page that a command writes; without --html it does nothing.
class PageFile {
 public:
  // Reads the earlier runs.  Errors: as read_records.
  static Result<PageFile> open(const PageOptions& options);

  // Returns what adds the runs of a file of records, which are closed afterwards, in their order.
  RecordListener listener(const std::string& records);
  // Begins a run, whose records are written to this file; empty: to none.
  void begin(const RunHeader& header, const std::string& records);
  void add(const Record& record);
  // Shows what asking a failure of the last run again told, and the pattern of its clause.
  void show(const Record& failure, const CloserLook& look, const std::string& pattern);
  // Returns true if a failure of the last run, which the page has, was shown so.
  bool has_shown(const Record& failure) const { return runs_.back().shown.looks.contains(failure.literal); }
  // Ends the first run that is not closed.  The summary outlives the page.
  void close(const Summary& summary, FailurePatterns patterns);
  // Adds a run without records, because its backend did not start.
  void add_unstarted(const Summary& summary);
  Result<Done> write() const;

 private:
  struct Run {
    std::string backend;
    PageRun shown = {};
    FailurePatterns patterns = {};
    CaseVerdicts verdicts = {};
    std::optional<RunComparer> comparer = {};  // with the last run of this backend before this one
  };

  std::string path_;
  std::deque<Summary> earlier_;
  std::deque<Run> runs_;  // neither they nor the summaries move, because each refers to one before it
  std::size_t closed_ = 0;
};

// The certificate and the bundle that a command line requests.
struct CertificateFiles {
  std::string certificate, bundle, key;  // paths; empty: not requested

  bool are_requested() const noexcept { return !certificate.empty() || !bundle.empty(); }

  // Removes an earlier certificate from the places of this one.  Returns a sentence if none could be written
  // there, or if there is no such key.
  std::optional<std::string> prepare() const;

  // Writes the certificate of the one backend, whose records are in a file, and its first line to `out`.
  // Returns 0; 1 after a sentence on `error` if the run gives none; 2 if a file cannot be written.
  int write(const std::vector<const Summary*>& all, const std::string& records, std::ostream& out,
            std::ostream& error) const;

 private:
  Result<Done> write_files(const Summary& summary, const std::string& records, const Key* key) const;
};

// The records of a run: in the file that a command line names, or in an unnamed one if only a bundle needs
// them, or only their digest if only a certificate needs that.
struct RunRecords {
  // Opens the file.  The writer is null if no records are needed.  Errors: as RecordWriter::open.
  static Result<RunRecords> open(const std::string& path, const CertificateFiles& certificate);

  std::string path;  // at which this process can read them
  std::unique_ptr<RecordWriter> writer;
  Descriptor unnamed{-1};
};

// The report files that a command line requests, one option for each format, and the certificate.
struct ReportFiles {
  // A path for each format of all_formats(); empty: not requested.
  std::vector<std::string> paths = std::vector<std::string>(all_formats().size());
  CertificateFiles certificate;
  PageOptions page;

  std::vector<NamedFile> named() const;
  // Returns true if one of them goes to standard output.
  bool has_standard_output() const;
  // Removes an earlier certificate.  Returns a sentence if one of the files, or of the `other` outputs, is in
  // conflict with one of these or an input, or if one of the files could not be written.
  std::optional<std::string> prepare(std::vector<NamedFile> other, std::vector<NamedFile> inputs) const;
  // Writes each requested file; `started` omits the backends that did not start, and `records` is the file
  // with the records of the run.  Returns 0; 1 after a sentence on `error` if the run gives no certificate; 2
  // after one if a file cannot be written.
  int write_all(const std::vector<const Summary*>& all, const std::vector<const Summary*>& started,
                const std::string& records, const PageFile& html, std::ostream& out,
                std::ostream& error) const;
};

}  // namespace certile::conformance
