#pragma once
#include <atomic>
#include <chrono>
#include <functional>

#include "conformance/ask/asker.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

struct RunOptions {
  IsolateOptions isolate;
  std::string backend;     // the backend's name, for records of cases that were never asked
  int jobs = 1;            // number of processes in parallel, each with a share of the plan
  bool fail_fast = false;  // stop at the first failure; later cases are not run, even if already answered
  bool asks_again = true;  // ask failures again, so that their records say how to reproduce them
  // The time after which cases that wait for the end are not run.
  std::chrono::seconds budget{60};
  // Set from outside to stop the run: cases that have not been asked are not run.
  const std::atomic<bool>* interrupted = nullptr;
};

// Returns true for a case that was not run because others like it took too long.
bool is_left_out(const Record& record);

// Runs every case of the plan and passes each record to `on_record` once, in the order of the plan except for
// cases that had to wait.  Some failures of each clause, the plainest among them, are asked again, so that
// their records say how to reproduce them.  After 10 crashes of one clause its other cases wait until the
// end, after 10 time-outs, or calls so slow that they take the time that there is, all others do.  Hundreds
// of calls in a row that crash, hang or have no memory end the run.  Three time-outs are confirmed with the
// whole time limit and charged; the others are not run.  Errors: io (no process can be started, or
// `on_record` fails), backend_failed (the oracles disagree).
Result<Done> run_plan(const Plan& plan, const RunOptions& options,
                      const std::function<Result<Done>(const Record&)>& on_record);

}  // namespace certile::conformance
