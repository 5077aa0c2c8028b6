#pragma once
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "reference/values/result.hpp"

namespace certile::bench {

// Writes the answer of a run in lines of at most `columns`: for each backend that is not the baseline, in how
// many cases it is faster or slower than the baseline, by how much, its worst and its best case, and its
// share of the reference for each regime.  For one backend a line with a bar follows for each case, the
// slowest first.  Without a baseline, shares of the reference take the place of ratios.  A case counts hot
// if it was timed hot, else cold.
void write_summary(std::ostream& out, const BenchRun& run, std::size_t columns);

struct TableOptions {
  bool colour = false;  // terminal colours: slower than the baseline, and verdicts that are not `pass`
};

// Writes the table for people: the cases of each regime, with their limits and one line per subject; last
// the rules by which the figures were taken.  At most 130 columns, unless a literal is longer.
void write_table(std::ostream& out, const BenchRun& run, const TableOptions& options = {});

// The number that tools/bench/run_file.py knows as well.  Readers ignore unknown fields; a higher number says
// that ignoring them is not enough.
inline constexpr int bench_format = 1;

// Returns the run as Google Benchmark's JSON, which its compare.py reads: one benchmark `SUBJECT/LITERAL` per
// subject, with `/cold` appended if caches were flushed; an `iteration` entry per round; and mean, median,
// stddev and cv as aggregates.  Limits are benchmarks too: `limit:fill:2/LITERAL` (two threads).  Facts that
// Google's schema has no place for are under "certile" in the context.
std::string to_json(const BenchRun& run);

// Writes the same as a file.  Errors are one sentence that begins with the path.
Result<Done> write_json(const std::string& path, const BenchRun& run);

// Writes figures, the same in every view.
std::string share_text(double share);  // "0.97"
std::string ratio_text(double ratio);  // three digits: "0.87", "13.8", "152"

// Returns the name of a backend for a table: printable, and of a long one, probably a path, the end.
std::string short_name(const std::string& name);

// Writes the text in lines of at most `columns`, broken between words; further lines are indented by two more
// than the first.
void write_wrapped(std::ostream& out, std::string text, std::size_t columns);

// Returns the rules by which figures are taken and put into words, one sentence each.
std::vector<std::string> rules_text(const BenchRun& run);

}  // namespace certile::bench
