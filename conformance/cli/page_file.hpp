#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/file_conflicts.hpp"
#include "conformance/page/html_report.hpp"
#include "conformance/records/record_stream.hpp"

namespace certile::conformance {

// The options of the page of HTML.
struct PageOptions {
  std::string path;                     // --html; empty: no page
  std::vector<std::string> against;     // records of earlier runs, which the page compares with
  std::vector<std::string> benchmarks;  // files of certile-bench --json

  std::vector<NamedFile> inputs() const;
};

// The page that a command writes; without --html it does nothing.
class PageFile {
 public:
  // Reads what a page shows besides the runs of the command.  Error: as read_records, and of a file that is
  // no benchmark.
  static Result<PageFile> open(const PageOptions& options);

  // Returns what adds the runs of a file, which are closed afterwards, in their order.
  RecordListener listener();
  void begin(const RunHeader& header);
  void add(const Record& record);
  void close(const Summary& summary);
  // Adds a run without records, because its backend did not start.
  void add_unstarted(const Summary& summary);
  // Writes the page.  Returns false if that fails, after a sentence on `error`.
  bool write(std::ostream& error) const;

 private:
  std::string path_;
  std::optional<HtmlReport> report_;
};

}  // namespace certile::conformance
