#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/run/bench_run.hpp"

// What is aimed at, and how it is read off a run.
namespace certile {

// A ratio, by medians and by best samples.
struct GoalFigure {
  double median = 0;
  double best = 0;
};

struct Goal {
  std::string_view name;  // "G1"
  std::string_view aim;   // a sentence
  double threshold = 0;   // of every case; 0: none
  double mean = 0;        // of the geometric mean; 0: none
  bool at_most = false;   // the threshold is an upper bound, not a lower one
  // The figure of a case; nothing where the goal does not speak about it, or it was not measured.
  std::optional<GoalFigure> (*figure)(const BenchRun&, const TimedCase&);
};
const std::vector<Goal>& all_goals();
bool meets(const Goal& goal, double figure) noexcept;

struct GoalCase {
  const TimedCase* timed = nullptr;
  GoalFigure figure;
};
struct GoalResult {
  std::vector<GoalCase> cases;  // the one furthest from the goal first
  GoalFigure mean;              // geometric; 0 where there is no case
  int met = 0;                  // by the medians
};
GoalResult result_of(const Goal& goal, const BenchRun& run);

// How many axes the tiling of a literal repeats, once neighbours that are one axis are joined.
int repeated_levels(const std::string& literal);

}  // namespace certile
