#pragma once
#include <cstdint>

#include "bench/timing/timed_call.hpp"
#include "reference/values/result.hpp"

namespace certile::bench {

// The time of one batch.
struct Sample {
  double nanoseconds = 0;  // wall clock, per call
  double cores = 0;        // processor time over wall clock
};

// Runs one batch of `calls` calls as a benchmark of Google's library: its loop and its clocks (including the
// process's processor time), one repetition, a fixed number of iterations.  The caller orders the batches,
// because the library's own random interleaving takes no seed.  Error backend_failed with the timed call's
// message.
Result<Sample> run_batch(TimedCall& timed_call, Temperature temperature, std::int64_t calls);

// Returns "1.7.1", and how the library reports that it was built.
std::string benchmark_library();

}  // namespace certile::bench
