#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/plan/shard.hpp"
#include "conformance/run/known_answers.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

struct RunOptions {
  IsolateOptions isolate;
  std::string backend;     // the backend's name, for records of cases that were never asked
  int jobs = 1;            // number of processes in parallel, each with a share of the plan
  bool fail_fast = false;  // stop at the first failure; later cases are not run, even if already answered
  bool asks_again = true;  // ask failures again, so that their records say how to reproduce them
  // The time after which cases that wait for the end are not run.
  std::chrono::seconds tier_time{60};
  // The time after which no further chunk of the plan is begun, and its cases have no records.
  std::optional<std::chrono::seconds> time_for_all = {};
  // Set from outside to stop the run: cases that have not been asked are not run.
  const std::atomic<bool>* interrupted = nullptr;
  // The cases to ask instead of the whole plan, one of `shards` such shares.
  std::optional<Share> share = {};
  int shards = 1;
  // The number of cases, from the first one on, that an earlier process asked: whole pieces of chunks.hpp. Of
  // their records `before` has those that decide which other failures are asked again.
  std::size_t done = 0;
  std::vector<Record> before = {};
  KnownAnswers* known_answers = nullptr;  // shared by several runs of the same cases; null: nothing is shared
};

// Returns true for a case that counts as not run because others like it took too long.
bool is_left_out(const Record& record);

// Runs every case of the plan, or of its share, and passes each record to `on_record` once, in the order of
// the plan except for cases that had to wait.  Some failures of each clause, the plainest among them, are
// asked again, so that their records say how to reproduce them.  After 10 crashes of one clause its other
// cases wait until the end, after 10 time-outs, or calls so slow that they take the time that there is, all
// others do.  Hundreds of calls in a row that crash, hang or have no memory end the run.  Three time-outs are
// confirmed with the whole time limit and charged; the others are not run.  Errors: io (no process can be
// started, or `on_record` fails), backend_failed (the oracles disagree).
Result<Done> run_plan(const Plan& plan, const RunOptions& options,
                      const std::function<Result<Done>(const Record&)>& on_record);

}  // namespace certile::conformance
