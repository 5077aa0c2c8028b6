#pragma once
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/plugin/certile_plugin.h"
#include "bench/run/bench_run.hpp"
#include "bench/timing/case_memory.hpp"
#include "conformance/ask/rig/plain_caller.hpp"
#include "reference/values/result.hpp"

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

// A backend of this process, called by its table.
class TableCall : public TimedCall {
 public:
  TableCall(const certile_plugin& table, DefinitionId definition, CaseMemory& memory) noexcept
      : table_(table), definition_(definition), memory_(memory) {}
  bool leaves_threads() const noexcept override { return true; }
  void run(benchmark::State& state, Temperature temperature) override;

 private:
  const certile_plugin& table_;
  DefinitionId definition_;
  CaseMemory& memory_;
};

// A batch has no fewer calls, if the budget allows them.
inline constexpr std::int64_t least_calls = 4;

struct MeasureOptions {
  int rounds = 15;
  std::uint64_t seed = 1;       // of the order within each round
  double batch_seconds = 2e-3;  // what a batch should take, if its calls are short enough
  double entry_seconds = 3;     // what one timed call may take at one temperature, all rounds together
  std::function<bool()> stop = [] { return false; };  // asked between batches
};

// A timed call and where its timings go.
struct Entry {
  TimedCall* timed_call = nullptr;
  std::optional<Rounds>* hot = nullptr;   // null: not timed
  std::optional<Rounds>* cold = nullptr;  // null: not timed
  std::string failure = {};               // set if the timed call failed; its timings are then dropped
};

// Times the entries of one case side by side: each once in every round, separately hot and cold, in an order
// drawn from the seed.
//
// A batch has as many calls as fill `batch_seconds`, at least 4.  If that would exceed `entry_seconds`,
// untimed calls and flushing included, it has fewer calls, down to 1; then there are fewer rounds, so that a
// slow timed call takes part only in the first ones, and in one at least.  Returns false if stopped; the
// timings are then incomplete.
bool measure(std::vector<Entry>& entries, const MeasureOptions& options);

}  // namespace certile::bench
