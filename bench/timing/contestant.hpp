#pragma once
#include <benchmark/benchmark.h>
#include <time.h>

#include <chrono>
#include <string>

#include "bench/run/bench_run.hpp"
#include "bench/timing/case_memory.hpp"

namespace certile {

// Something that is timed on one case: a backend, or a limit of the machine.
class Contestant {
 public:
  virtual ~Contestant() = default;

  // False where it cannot be asked at that temperature.
  virtual bool can(Temperature) const noexcept { return true; }
  // True where the time is set by hand when hot, too, since the work is done by another process.
  virtual bool is_elsewhere() const noexcept { return false; }
  // True where threads of this process may go on spinning for a while after a batch that they took part in.
  virtual bool leaves_threads() const noexcept { return false; }
  // One batch as the body of a benchmark: hot, an untimed call and then state.max_iterations timed ones;
  // cold, as many calls, each after a flush, with the time set by hand.  What goes wrong is said with
  // state.SkipWithError.
  virtual void run(benchmark::State& state, Temperature temperature) = 0;
};

// The counter of a batch that measured its processor time itself, in seconds.
inline constexpr const char* processor_seconds = "processor_seconds";

// Of all threads of this process.
inline double seconds_of_processors() noexcept {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The body of a batch for what one call of `once` does on `memory` in this process.  `once` returns whether
// it worked.
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
      const double processors_before = seconds_of_processors();
      const auto before = std::chrono::steady_clock::now();
      worked = once() && worked;
      benchmark::ClobberMemory();
      const auto after = std::chrono::steady_clock::now();
      processors += seconds_of_processors() - processors_before;
      state.SetIterationTime(std::chrono::duration<double>(after - before).count());
    }
    state.counters[processor_seconds] = processors;
  }
  if (!worked) state.SkipWithError("it refused or failed while it was timed");
}

}  // namespace certile
