#pragma once
#include <memory>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "bench/timing/case_memory.hpp"
#include "bench/timing/measure.hpp"
#include "bench/timing/team.hpp"
#include "reference/values/definition_id.hpp"

namespace certile::bench {

// A probe of the machine's limit on the output of a case.  Each thread of the team writes a part, which
// begins on a page of the smallest kind (on a cache line if there are fewer pages than threads).
class LimitCall : public TimedCall {
 public:
  LimitCall(Probe probe, Team& team, CaseMemory& memory) noexcept
      : probe_(probe), team_(team), memory_(memory) {}
  void run(benchmark::State& state, Temperature temperature) override;

 private:
  Probe probe_;
  Team& team_;
  CaseMemory& memory_;
};

// Returns the probe of a call of that definition, on the output of a case: it is ruled and planned as every
// built-in backend does, and then fills the output.
std::unique_ptr<TimedCall> call_probe(DefinitionId definition, CaseMemory& memory);

// Returns the probes that this processor has for an output of that size and that many threads.
std::vector<Probe> available_probes(std::uint64_t output_bytes, int threads);

// A part of `size` bytes that are divided among threads: number `part` of `parts`.
struct ByteRange {
  std::size_t begin = 0, size = 0;
};
ByteRange part_of(std::size_t size, int part, int parts) noexcept;

}  // namespace certile::bench
