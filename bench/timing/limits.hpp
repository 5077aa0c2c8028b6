#pragma once
#include <sched.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "bench/timing/case_memory.hpp"
#include "bench/timing/measure.hpp"
#include "reference/values/definition_id.hpp"

namespace certile::bench {

// The plainest ways to write memory, with which everything is compared; they share nothing with any backend.
// A fill writes a value that is not zero, and a copy the source over and over.  The output begins on a cache
// line, and the source has whole cache lines or is as large as the output.  Vectors are the widest kind of
// this processor; what is left at the end is written byte by byte.
using Write = void (*)(std::span<std::byte> output, std::span<const std::byte> source);

// Returns how that probe writes; null for the call, and where the processor has no such stores.
Write write_of(Probe probe) noexcept;

// Returns the probes that this processor has for an output of that size and that many threads.
std::vector<Probe> available_probes(std::uint64_t output_bytes, int threads);

// A team of threads that work side by side on parts of one thing, the caller being the first.  Between
// begin() and end() each is bound to a separate processor and spins between pieces of work, so that
// distributing work costs a fraction of a microsecond; else they sleep.
class Team {
 public:
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const noexcept { return static_cast<int>(others_.size()) + 1; }

  void begin(std::function<void(int thread)> part);
  // Calls the part on every thread, 0 to size() - 1, and returns when all have returned.
  void run();
  void end();

 private:
  void work(int thread);

  std::function<void(int)> part_;
  std::atomic<int> pieces_{0};  // of work so far
  std::atomic<int> busy_{0};    // other threads that have not finished the last one
  std::atomic<int> state_{0};
  cpu_set_t processors_;  // that the caller may use
  std::vector<std::thread> others_;
};

// Returns the timed call of a probe on the output of a case of that definition.  Each thread writes a part,
// which begins on a page of the smallest kind (on a cache line if there are fewer pages than threads).
// Probe::call is ruled and planned as every built-in backend does, and then fills the output.
std::unique_ptr<TimedCall> timed_limit(Probe probe, Team& team, DefinitionId definition, CaseMemory& memory);

// Returns part number `part` of `parts` of these bytes.
std::span<std::byte> part_of(std::span<std::byte> bytes, int part, int parts) noexcept;

}  // namespace certile::bench
