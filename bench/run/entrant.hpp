#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "bench/timing/case_memory.hpp"
#include "bench/timing/contestant.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// One backend, opened for timing: a built-in one in this process, a library in a process of its own, a worker
// through its own clock.
class Entrant {
 public:
  struct Options {
    std::string program = "/proc/self/exe";      // a certile-bench
    std::string spelling;                        // BACKEND
    std::chrono::milliseconds patience{30'000};  // for one call on a large case; then it is left out
  };
  // Errors: as open_backend's, in one sentence; backend_failed where its process ended.
  static Result<std::unique_ptr<Entrant>> open(const Options& options);
  virtual ~Entrant() = default;

  // Name, version and how it is timed; no verdict yet.
  const Subject& facts() const noexcept { return facts_; }

  const std::vector<DefinitionId>& definitions() const noexcept { return definitions_; }

  // Asks it a case too large for the rig, in another process than this one, and compares every byte.  Sets
  // verdict and why; not_run where no answer came within the patience.
  virtual void check(const std::string& literal, const Tensor& expected, Subject& subject) = 0;

  // What is timed on that case.  `memory` has its tensors in this process, perhaps for another definition, and
  // outlives it.
  virtual std::unique_ptr<Contestant> enter(const std::string& literal, CaseMemory& memory) = 0;

 protected:
  Subject facts_;
  std::vector<DefinitionId> definitions_;  // that it claims
};

}  // namespace certile
