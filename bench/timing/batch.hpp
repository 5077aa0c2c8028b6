#pragma once
#include <cstdint>

#include "bench/timing/contestant.hpp"
#include "reference/values/result.hpp"

namespace certile {

// What one batch took.
struct Sample {
  double nanoseconds = 0;  // wall clock, per call
  double cores = 0;        // processor time over wall clock
};

// Runs one batch of so many calls as a benchmark of Google's library: its loop and its clocks (the process's
// processor time included), one repetition, a fixed number of iterations.  The library's own random
// interleaving cannot be given a seed, so whoever calls this decides the order of the batches.
// Error backend_failed with what the contestant said.
Result<Sample> run_batch(Contestant& contestant, Temperature temperature, std::int64_t calls);

// "1.7.1", and how the library says it was built.
std::string benchmark_library();

}  // namespace certile
