#pragma once
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/records/clause_table.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/text/printable.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Views of summaries.  Names and messages of backends are untrusted: control characters, terminal escapes and
// markup in them are escaped by every view.

// The amount of a run that its text report shows.
enum class Detail {
  verdict,  // the line with the verdict
  brief,  // without failures three lines; with failures the verdict first, then each violated clause and the
          // evidence of one failure
  whole,  // also the limits, digests and isolation of the run, three failures of each clause, and all clauses
};

// The options of the text report.
struct TextOptions {
  bool colour = false;  // adds terminal colours
  Detail detail = Detail::brief;
  std::size_t width = 110;             // of lists, in characters
  std::optional<double> seconds = {};  // the duration of the run, which records do not contain
  bool legend = false;                 // adds three lines with the words of the verdict and the counts
  std::string common = {};  // what the failures of many clauses have in common, as a line with its newline
  // What only asking a failure again shows, in lines with their newlines.
  std::function<std::string(const Record&)> closer =
      {};  // of the failure shown whole; instead of look_closer
  std::function<std::string(const Record&)> shrunk = {};  // of the first failure of each clause
};
// Writes the text report.  Unless the detail is `verdict`, its first line is what was run, and its last two
// are the verdict (name, version, definitions, tier, verdict) and the counts.
void write_text_report(std::ostream& out, const Summary& summary, const TextOptions& options);
// Writes a table of several runs, a line each; nothing for one run.
void write_overview(std::ostream& out, const std::vector<const Summary*>& runs, const TextOptions& options);

// What reports show of a failure's evidence, in bytes.
inline constexpr std::size_t bytes_of_evidence = 4096;
// Returns one failure: summary and evidence, each line with its newline.  Only the evidence is cut, to
// `evidence_limit` bytes.
std::string failure_text(const Record& record, std::size_t evidence_limit = std::string::npos);
// Returns the line with the command that shows the failure again.  If it passed when it was asked again, the
// line says that instead.
std::string look_closer(const Record& record, const std::string& spelling, int passes = 0);
// Returns both.
std::string describe_failure(const Record& record, const std::string& spelling,
                             std::size_t evidence_limit = std::string::npos);

// Returns `certile run SPELLING 'L1' 'L2'`, quoted for a shell.
std::string reproduce_command(const Record& record, const std::string& spelling);

// Returns the clauses with those first whose failure tells most: the plainest of those that occurred again
// and need no earlier calls, threads or addresses; then those that occurred again with what they need.
std::vector<FailureGroup> most_telling_first(const Summary& summary, std::size_t shown);

// Indents each line under a failure's summary.  The result ends in a newline.
std::string indented_lines(std::string_view lines);

// Write the report of one or several backends to a file, in the formats that formats.inc describes.
#define FORMAT(NAME, SHOWS_UNSTARTED, HELP) \
  Result<Done> write_##NAME(const std::string& path, const std::vector<const Summary*>& summaries);
#include "conformance/report/formats.inc"
#undef FORMAT

// A format of report files.  A new format needs a file and a row of formats.inc.
struct Format {
  std::string_view name;  // of the option, without its dashes
  const char* help;
  bool shows_unstarted;  // the report includes backends that did not start
  Result<Done> (*write)(const std::string& path, const std::vector<const Summary*>& summaries);
};
std::span<const Format> all_formats() noexcept;

}  // namespace certile::conformance
