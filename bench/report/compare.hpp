#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "bench/run/statistics.hpp"

namespace certile {

struct CompareOptions {
  double noise = 0.05;  // below this no difference counts, however certain it is
  bool by_time =
      false;  // decide by time per call; else by the share of the limit each run measured for itself
};

// One subject on one case at one temperature, before and after.
struct Change {
  std::string subject, literal;
  Temperature temperature = Temperature::hot;
  Comparison time;   // the speed of the new run against the old one's
  Comparison share;  // of the share of the limit; equal to `time` where either run has no limit
  bool has_share = false;
  double bound = 0;  // what has to be exceeded: the noise, or the spread of the deciding figure in either run
  Word word = Word::too_few_rounds;
};

struct RunComparison {
  std::vector<Change> changes;
  std::vector<std::string> only_old, only_new;  // "simd/LITERAL", "simd/LITERAL/cold"
  std::vector<std::string> now_failing;         // timed before, and judged a failure now
  std::vector<std::string> differences;         // sentences: what of the machine or the rules is not the same
  // Something became slower beyond its bound, or fails now.
  bool is_regression() const noexcept;
};

RunComparison compare_runs(const BenchRun& old_run, const BenchRun& new_run, const CompareOptions& options);
void write_comparison(std::ostream& out, const RunComparison& comparison, const CompareOptions& options);

// `certile-bench compare OLD NEW`: 0, 1 for a regression, 2 where a file
// cannot be read or the two have no case in common.
int compare_command(const std::string& old_path, const std::string& new_path, const CompareOptions& options,
                    std::ostream& out, std::ostream& error);

// `--gate RULE` of a run: 0 or 1, 2 for a rule that cannot be applied.  A rule is the path of an older run,
// which is compared with; or `baseline`, "nothing is slower than the baseline beyond the noise bound"; or
// `baseline:NAME`, the same of one subject.  What was not timed because it failed breaks every rule.
int gate(const BenchRun& run, const std::string& rule, const CompareOptions& options, std::ostream& out,
         std::ostream& error);

}  // namespace certile
