#pragma once
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/records/summary.hpp"
#include "conformance/text/printable.hpp"
#include "reference/values/result.hpp"

namespace certile {

// Views of summaries.  Names and messages of backends are untrusted: control characters, terminal escapes and
// markup in them are escaped by every view.

// The text report: what was run, failures (each with its evidence and the command that shows it again), the
// table of clauses, and two last lines: name, version, definitions, tier, verdict; counts, seconds.  `colour`
// adds terminal colours.
struct TextOptions {
  bool colour = false;
  bool clause_table = true;
  std::optional<double> seconds = {};  // wall clock of the run, which no record has
};
void write_text_report(std::ostream& out, const Summary& summary, const TextOptions& options);

// One failure as the text report and `certile run` print it: summary, evidence, next command; every line
// ends. Of the evidence at most `evidence_limit` bytes, so that the command is never what is cut off.
std::string describe_failure(const Record& record, const std::string& spelling,
                             std::size_t evidence_limit = std::string::npos);

// `certile run SPELLING 'L1' 'L2'`, quoted for a shell.
std::string reproduce_command(const Record& record, const std::string& spelling);

// `text` as one word of a shell's command line.
std::string quoted_for_shell(const std::string& text);

// Every line, set under the summary of a failure; every line ends.
std::string indented_lines(std::string_view lines);

// JUnit XML, below 25 MB: a suite per backend; a test per definition and element type, one for the verdict,
// and each failing case (at most 1,000).
Result<Done> write_junit(const std::string& path, const std::vector<const Summary*>& summaries);

// A Markdown summary for a CI job page, below 900 KiB.
Result<Done> write_markdown(const std::string& path, const std::vector<const Summary*>& summaries);

// An unsigned in-toto statement (predicate test-result) about one or several backends.  Deterministic: no
// clock, no host.
Result<Done> write_statement(const std::string& path, const std::vector<const Summary*>& summaries);

// A report that is a file.  A new one costs a file and a row of formats.inc.
struct Format {
  std::string_view name;  // of the option, without its dashes
  const char* help;
  bool shows_unstarted;  // whether backends that could not be started are in it
  Result<Done> (*write)(const std::string& path, const std::vector<const Summary*>& summaries);
};
std::span<const Format> all_formats() noexcept;

}  // namespace certile
