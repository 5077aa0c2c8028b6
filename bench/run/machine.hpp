#pragma once
#include "bench/run/bench_run.hpp"

namespace certile::bench {

// Returns what this program runs on and was built from.  Unknown facts read "not known", or why.
Machine this_machine();

}  // namespace certile::bench
