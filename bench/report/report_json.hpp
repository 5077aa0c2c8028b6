#pragma once
#include <string>

#include "bench/run/bench_run.hpp"
#include "reference/values/result.hpp"

namespace certile::bench {

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

}  // namespace certile::bench
