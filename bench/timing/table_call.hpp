#pragma once
#include "backends/plugin/certile_plugin.h"
#include "bench/timing/case_memory.hpp"
#include "bench/timing/timed_call.hpp"

namespace certile::bench {

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

}  // namespace certile::bench
