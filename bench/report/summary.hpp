#pragma once
#include <cstddef>
#include <ostream>

#include "bench/run/bench_run.hpp"

namespace certile::bench {

// Writes the answer of a run in lines of at most `columns`: for each backend that is not the baseline, in how
// many cases it is faster or slower than the baseline, by how much, its worst and its best case, and its
// share of the reference for each regime.  For one backend a line with a bar follows for each case, the
// slowest first.  Without a baseline, shares of the reference take the place of ratios.  A case counts hot
// if it was timed hot, else cold.
void write_summary(std::ostream& out, const BenchRun& run, std::size_t columns);

}  // namespace certile::bench
