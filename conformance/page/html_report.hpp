#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "conformance/page/page_run.hpp"
#include "conformance/records/record_json.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns the page of template.html with the style, the program and this JSON.  No text of the JSON can end
// its element, and the page's policy lets nothing run but its own program.
std::string page_with(std::string_view json);

// A page of HTML that shows runs and works alone: with its program, its style and the records as data, and
// without any network.  Runs are added one after the other: a header, its records, and
// its summary, which may come later, in the order of the runs.
class HtmlReport {
 public:
  // Begins a run; an earlier one is there to be compared with.
  void begin(const RunHeader& header, bool is_earlier = false);
  void add(const Record& record) { runs_.back().add(record, tables_); }
  void close(const Summary& summary) { runs_[closed_++].close(summary); }

  // Adds the result of certile-bench that a file has.  Error: io; bad_literal if the file is no such result.
  Result<Done> add_benchmark(const std::string& path);

  // Returns the page.  The same runs always give the same bytes.
  std::string html() const;
  // Writes the page to a file.  Error: io.
  Result<Done> write(const std::string& path) const;

 private:
  PageTables tables_;
  std::vector<PageRun> runs_;
  std::size_t closed_ = 0;
  Json benchmarks_ = Json::array();
};

}  // namespace certile::conformance
