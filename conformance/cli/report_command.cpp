#include <algorithm>
#include <iterator>
#include <limits>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/explain/closer_look.hpp"
#include "conformance/explain/failure_patterns.hpp"
#include "conformance/records/comparison.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {

namespace {

// Returns what the failures of each run of a file have in common.  A file that is no longer the one of these
// runs has none.
std::vector<FailurePatterns> patterns_in(const std::string& path, const std::vector<Summary>& runs) {
  std::vector<FailurePatterns> patterns;
  const auto read =
      read_records(path, {[&](const RunHeader&) { patterns.emplace_back(); },
                          [&](const Record& record) { patterns.back().add(record); },
                          [&](const RunFooter&, const RunFooter& read_now) -> Result<Done> {
                            if (patterns.size() <= runs.size() &&
                                runs[patterns.size() - 1].records_digest() == read_now.run_digest)
                              return Done{};
                            return Error{Error::Code::io, "the file was changed while it was read"};
                          }});
  if (!read) patterns.clear();
  return patterns;
}

}  // namespace

int report_command(const ReportOptions& options, std::ostream& out, std::ostream& error) {
  std::vector<NamedFile> inputs;
  add_named(inputs, "the records", options.records);
  if (const auto problem = options.files.prepare({}, inputs)) return complain(error, *problem);
  auto page = PageFile::open(options.files.page);
  if (!page) return complain(error, page.error().what);
  std::vector<Summary> runs;
  std::vector<FailurePatterns> patterns;
  for (const std::string& path : options.records) {
    auto read = read_runs(path, page->listener(path));
    if (!read) return complain(error, read.error().what);
    const bool has_failures =
        std::ranges::any_of(*read, [](const Summary& run) { return run.count(Verdict::fail) > 0; });
    if (has_failures) std::ranges::move(patterns_in(path, *read), std::back_inserter(patterns));
    std::move(read->begin(), read->end(), std::back_inserter(runs));
    patterns.resize(runs.size());
  }
  // A file that goes to standard output leaves no place for the report there.
  const bool is_taken = options.files.has_standard_output();
  std::ostream& text = is_taken ? error : out;
  TextOptions shown = options.text;
  if (is_taken) shown.colour = false;
  std::vector<const Summary*> all;
  int code = runs.front().exit_code();
  for (const Summary& run : runs) {
    if (!all.empty() && shown.detail != Detail::verdict) text << '\n';
    const FailurePatterns& pattern = patterns[all.size()];
    shown.common = pattern.one_cause();
    shown.closer = [&](const Record& record) {
      return text_of(recorded_look(record, {.width = shown.width, .rows = rows_in_brief},
                                   pattern.outputs_like(record))) +
             FailurePatterns::line_of(pattern.of(record)) + look_closer(record, run.header().spelling);
    };
    write_text_report(text, run, shown);
    all.push_back(&run);
    code = graver(code, run.exit_code());
  }
  write_overview(text, all, shown);
  text.flush();
  for (std::size_t run = 0; run < runs.size(); ++run)
    page->close(runs[run], std::move(patterns[run]));
  const int written = options.files.write_all(all, all, options.records.front(), *page, text, error);
  return written == exit_bad_command ? written : graver(code, written);
}

namespace {

void write_comparison(std::ostream& out, const Comparison& comparison) {
  out << comparison.name << '\n';
  out << "  before  " << comparison.before << '\n';
  out << "  after   " << comparison.after << '\n';
  for (const Comparison::Changes& changes : comparison.changes) {
    out << (changes.is_worse ? "WORSE  " : "       ") << changes.what << ": " << with_thousands(changes.count)
        << '\n';
    for (const std::string& words : changes.shown)
      out << "         " << words << '\n';
    const std::int64_t more = changes.count - static_cast<std::int64_t>(changes.shown.size());
    if (more > 0) out << "         and " << with_thousands(more) << " more, which --verbose shows\n";
  }
}

}  // namespace

int diff_command(const DiffOptions& options, std::ostream& out, std::ostream& error) {
  const std::size_t limit = options.verbose ? std::numeric_limits<std::size_t>::max() : shown_of_a_kind;
  const auto comparisons = compare_records(options.before, options.after, limit);
  if (!comparisons) return complain(error, comparisons.error().what);
  for (const Comparison& comparison : *comparisons)
    write_comparison(out, comparison);
  const bool is_worse = std::ranges::any_of(*comparisons, &Comparison::is_worse);
  const bool is_same =
      std::ranges::all_of(*comparisons, [](const Comparison& each) { return each.changes.empty(); });
  out << (is_worse ? "WORSE" : is_same ? "THE SAME" : "NOT WORSE") << '\n';
  return is_worse ? exit_not_conformant : exit_conformant;
}

}  // namespace certile::conformance
