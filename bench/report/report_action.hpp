#pragma once
#include <string>

#include "bench/run/bench_run.hpp"
#include "reference/values/result.hpp"

namespace certile {

// For the action `benchmark-action/github-action-benchmark`: an array of {name, unit, value, range, extra}.
enum class ActionMeasure {
  share,  // tool: customBiggerIsBetter; percent of the machine's limit, which survives a change of runner
  time,   // tool: customSmallerIsBetter; nanoseconds per call
};
std::string action_json(const BenchRun& run, ActionMeasure measure = ActionMeasure::share);
Result<Done> write_action(const std::string& path, const BenchRun& run,
                          ActionMeasure measure = ActionMeasure::share);

}  // namespace certile
