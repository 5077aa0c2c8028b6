#pragma once
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "reference/values/result.hpp"

namespace certile::bench {

struct BenchOptions {
  std::string program = "/proc/self/exe";  // a certile-bench, for the processes that it starts
  std::vector<std::string> backends;       // none: every built-in one that this processor has
  std::optional<std::string> baseline;     // timed too, if it is not among the backends
  std::vector<std::string> suites;         // with no suites, cases or random cases: workloads
  std::vector<std::string> literals;
  std::int64_t random_cases = 0;
  std::uint64_t seed = 1;  // of the random cases and of the order
  int rounds = 15;
  double budget = 3;  // seconds that one backend may take on one case at one temperature
  bool hot_only = false, cold_only = false;
  std::vector<int> limit_threads;  // none: 1 and as many as there are processors
  std::string command;             // as it was typed
};

// The result of a benchmark run.  Only backends that passed a case are timed on it.
struct BenchOutcome {
  BenchRun run;
  int exit_code = 0;  // 0, 1 a case failed, 4 a backend could not be opened, 5 nothing was timed, 130 stopped
};
// Checks, then times.  Why a backend is missing goes to `error`, and progress where standard error is a
// terminal.  Errors: what is wrong with the
// command line or a file, in one sentence.
Result<BenchOutcome> run_benchmarks(const BenchOptions& options, std::ostream& error);

}  // namespace certile::bench
