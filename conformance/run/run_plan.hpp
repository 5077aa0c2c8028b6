#pragma once
#include <atomic>
#include <chrono>
#include <functional>

#include "conformance/ask/asker.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "reference/values/result.hpp"

namespace certile {

struct RunOptions {
  IsolateOptions isolate;
  std::string backend;     // its name, for records of cases that no process was asked
  int jobs = 1;            // so many processes at once, each with a share of the plan
  bool fail_fast = false;  // stop at the first failure; the rest is not run, and answers to it do not count
  bool asks_again = true;  // what failed, so that its record says what it takes to see it
  // After so long, cases that wait because a clause's cases keep crashing are not run.
  std::chrono::seconds budget{60};
  // Set from outside to stop: what has not been asked by then is not run.
  const std::atomic<bool>* interrupted = nullptr;
};

// Runs every case of the plan and hands each one's record on, once, in the order of the plan but for those
// that had to wait. Failures are asked again, so that a record says what it takes to see them: some of each
// clause, the plainest among them. After 10 crashes of one clause its other cases wait until the end, after
// 10 time-outs all others do; of the time-outs, three are confirmed with the whole time limit and charged,
// the rest are not run. Errors: io (no process can be started any more, or `on_record` fails), backend_failed
// (the oracles disagree).
Result<Done> run_plan(const Plan& plan, const RunOptions& options,
                      const std::function<Result<Done>(const Record&)>& on_record);

}  // namespace certile
