#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "bench/timing/case_memory.hpp"
#include "bench/timing/timed_call.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::bench {

// One backend, opened for timing: a built-in one in this process, a library or a worker through an Asker, the
// worker by its own clock.
class Entrant {
 public:
  struct Options {
    std::string program = "/proc/self/exe";      // a certile-bench
    std::string spelling;                        // BACKEND
    std::chrono::milliseconds patience{30'000};  // for one call on a large case; a slower backend is left out
    std::uint64_t largest_case = 0;              // bytes of data and output, of any case of the run
  };
  // Opens a backend.  Errors: as open_backend's, in one sentence; backend_failed if its process ended.
  static Result<std::unique_ptr<Entrant>> open(const Options& options);
  virtual ~Entrant() = default;

  // Returns its name, its version and how it is timed, without a verdict.
  const Subject& facts() const noexcept { return facts_; }

  // Returns what a library or a worker calls itself; empty for a built-in backend.
  const std::string& own_name() const noexcept { return own_name_; }

  const std::vector<DefinitionId>& definitions() const noexcept { return definitions_; }

  // Makes another process call it on a case too large for the rig, and compares every byte.  Sets verdict and
  // why; not_run if no answer came within the patience.
  virtual void check(const Case& question, const Tensor& expected, Subject& subject) = 0;

  // Returns what is timed on that case.  `memory` has its tensors in this process, perhaps for another
  // definition, and outlives the result.
  virtual std::unique_ptr<TimedCall> enter(const Case& question, CaseMemory& memory) = 0;

 protected:
  Subject facts_;
  std::string own_name_;
  std::vector<DefinitionId> definitions_;  // that the backend claims
};

}  // namespace certile::bench
