#pragma once
#include <ostream>

#include "bench/run/bench_run.hpp"

namespace certile {

struct TableOptions {
  bool colour = false;  // terminal colours: slower than the baseline, and verdicts that are not `pass`
};

// The table for people: per regime its cases, per case its limits and one line per subject; then the
// geometric means per regime and per size class; last the rules that the figures were taken by.  At most 130
// columns, except for names and literals that are longer.
void write_table(std::ostream& out, const BenchRun& run, const TableOptions& options = {});

}  // namespace certile
