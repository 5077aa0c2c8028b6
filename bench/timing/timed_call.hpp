#pragma once
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "bench/run/bench_run.hpp"
#include "bench/timing/case_memory.hpp"
#include "conformance/ask/rig/plain_caller.hpp"

namespace certile::bench {

// A backend, or a limit of the machine, that is timed on one case.
class TimedCall {
 public:
  virtual ~TimedCall() = default;

  // Returns false if it cannot be timed at that temperature.
  virtual bool can(Temperature) const noexcept { return true; }
  // Returns true if the time is set by hand even when hot, because another process does the work.
  virtual bool is_elsewhere() const noexcept { return false; }
  // Returns true if threads of this process may spin for a while after a batch.
  virtual bool leaves_threads() const noexcept { return false; }
  // Runs one batch as the body of a benchmark: hot, an untimed call and then state.max_iterations timed ones;
  // cold, as many calls, each after a flush, with the time set by hand.  Reports errors by
  // state.SkipWithError.
  virtual void run(benchmark::State& state, Temperature temperature) = 0;
};

// The counter of a batch that measured its own processor time, in seconds.
inline constexpr const char* processor_seconds = "processor_seconds";

// Runs the body of a batch for a call by `once` on `memory` in this process.  `once` returns false if the
// call failed.
template <class Once>
void run_here(benchmark::State& state, Temperature temperature, const CaseMemory& memory, Once&& once) {
  bool worked = once();
  if (temperature == Temperature::hot) {
    for ([[maybe_unused]] auto _ : state) {
      worked = once() && worked;
      benchmark::ClobberMemory();
    }
  } else {
    double processors = 0;
    for ([[maybe_unused]] auto _ : state) {
      memory.flush();
      const double processors_before = conformance::seconds_of_processors();
      const auto before = std::chrono::steady_clock::now();
      worked = once() && worked;
      benchmark::ClobberMemory();
      const auto after = std::chrono::steady_clock::now();
      processors += conformance::seconds_of_processors() - processors_before;
      state.SetIterationTime(std::chrono::duration<double>(after - before).count());
    }
    state.counters[processor_seconds] = processors;
  }
  if (!worked) state.SkipWithError("it refused or failed while it was timed");
}

}  // namespace certile::bench
