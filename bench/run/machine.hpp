#pragma once
#include "bench/run/bench_run.hpp"

namespace certile {

// What this program runs on and was built from.  What the system does not say reads "not known", or why.
Machine this_machine();

}  // namespace certile
