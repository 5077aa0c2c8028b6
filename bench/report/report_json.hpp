#pragma once
#include <string>
#include <string_view>

#include "bench/run/bench_run.hpp"
#include "reference/values/result.hpp"

namespace certile {

// Readers ignore fields that they do not know; a higher number says that this is not enough.
inline constexpr int bench_format = 1;

// The run as Google Benchmark's JSON, which its compare.py reads: one benchmark `SUBJECT/LITERAL`, with
// `/cold` appended where caches were flushed, per subject, an `iteration` entry per round, and mean, median,
// stddev and cv as aggregates.  Limits are benchmarks too: `limit:fill:2/LITERAL` (two threads).  What
// Google's schema has no place for is under "certile" in the context, so that reading gives back every fact.
std::string to_json(const BenchRun& run);
Result<BenchRun> run_from_json(std::string_view text);

// The same, as files.  Errors are one sentence that begins with the path.
Result<Done> write_json(const std::string& path, const BenchRun& run);
Result<BenchRun> read_json(const std::string& path);

}  // namespace certile
