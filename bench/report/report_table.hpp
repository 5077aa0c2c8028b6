#pragma once
#include <ostream>

#include "bench/run/bench_run.hpp"

namespace certile::bench {

struct TableOptions {
  bool colour = false;  // terminal colours: slower than the baseline, and verdicts that are not `pass`
};

// Writes the table for people: the cases of each regime, with their limits and one line per subject; last
// the rules by which the figures were taken.  At most 130 columns, unless a literal is longer.
void write_table(std::ostream& out, const BenchRun& run, const TableOptions& options = {});

}  // namespace certile::bench
