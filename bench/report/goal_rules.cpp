#include "bench/report/goal_rules.hpp"

#include <algorithm>

#include "backends/kernel/tile_plan.hpp"
#include "bench/run/bench_names.hpp"
#include "bench/run/shares.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/call.hpp"

namespace certile {
namespace {

using Figure = std::optional<GoalFigure>;

constexpr std::uint64_t kibibyte = 1024, mebibyte = 1024 * kibibyte;
// What is ours, and what of it is meant: `simd` picks the best kernel of the processor, `openmp` runs it in
// several threads.
constexpr std::string_view one_thread = "simd", many_threads = "openmp",
                           tiny_example = "f32[2,3,4] x i64{1,2,3}";

bool is_plugin(const Subject& subject) {
  return subject.name.find('/') != std::string::npos;
}

bool is_ours(const Subject& subject) {
  const std::string_view name = subject.name;
  return name.starts_with(one_thread) || name == many_threads || name == "scalar" ||
         (is_plugin(subject) && name.find(one_thread) != std::string_view::npos);
}

Figure figure_of(const std::optional<Share>& share) {
  if (!share) return std::nullopt;
  return GoalFigure{share->median, share->best};
}

Figure limit_share(const BenchRun& run, const TimedCase& timed) {
  const Subject* subject = find_subject(timed, one_thread);
  return subject == nullptr ? std::nullopt
                            : figure_of(share_of_threads(run, timed, *subject, Temperature::hot, 1));
}

Figure large(const BenchRun& run, const TimedCase& timed) {
  return timed.output_bytes >= 64 * mebibyte ? limit_share(run, timed) : std::nullopt;
}

Figure large_in_threads(const BenchRun& run, const TimedCase& timed) {
  const Subject* subject = find_subject(timed, many_threads);
  const Rounds* rounds = subject == nullptr ? nullptr : rounds_of(*subject, Temperature::hot);
  if (timed.output_bytes < 64 * mebibyte || rounds == nullptr) return std::nullopt;
  // Even where it kept only one core busy, it is held to what two could do.
  const int threads = fair_threads(timed, std::max(2.0, rounds->cores));
  return threads < 2 ? std::nullopt
                     : figure_of(share_of_threads(run, timed, *subject, Temperature::hot, threads));
}

Figure long_runs(const BenchRun& run, const TimedCase& timed) {
  const bool applies =
      timed.output_bytes >= 4 * kibibyte && timed.output_bytes <= mebibyte && timed.innermost_bytes >= 256;
  return applies ? limit_share(run, timed) : std::nullopt;
}

Figure short_periods(const BenchRun& run, const TimedCase& timed) {
  const bool applies = timed.output_bytes <= mebibyte && timed.innermost_bytes >= 1 &&
                       timed.innermost_bytes <= 64 && repeated_levels(timed.literal) == 1;
  return applies ? limit_share(run, timed) : std::nullopt;
}

Figure several_axes(const BenchRun& run, const TimedCase& timed) {
  const bool applies = timed.output_bytes <= mebibyte && repeated_levels(timed.literal) > 1;
  return applies ? limit_share(run, timed) : std::nullopt;
}

bool is_medium(const TimedCase& timed) {
  return timed.output_bytes > mebibyte && timed.output_bytes <= 24 * mebibyte;
}

Figure medium_of_small_source(const BenchRun& run, const TimedCase& timed) {
  const bool applies = is_medium(timed) && timed.input_bytes <= 16 * kibibyte;
  return applies ? limit_share(run, timed) : std::nullopt;
}

Figure medium_of_larger_source(const BenchRun& run, const TimedCase& timed) {
  const Subject* subject = find_subject(timed, one_thread);
  if (!is_medium(timed) || timed.input_bytes <= 16 * kibibyte || subject == nullptr) return std::nullopt;
  const auto figures = measured(run, timed, *subject, Temperature::hot);
  return figures ? figure_of(figures->copy_share) : std::nullopt;
}

Figure against_frameworks(const BenchRun&, const TimedCase& timed) {
  const Subject* ours = find_subject(timed, one_thread);
  const Rounds* rounds = ours == nullptr ? nullptr : rounds_of(*ours, Temperature::hot);
  const Rounds* best = nullptr;
  for (const Subject& subject : timed.subjects) {
    const Rounds* others = rounds_of(subject, Temperature::hot);
    if (is_ours(subject) || others == nullptr) continue;
    if (best == nullptr || median(others->nanoseconds) < median(best->nanoseconds)) best = others;
  }
  if (rounds == nullptr || best == nullptr) return std::nullopt;
  return GoalFigure{compare_paired(rounds->nanoseconds, best->nanoseconds).ratio,
                    figures_of(best->nanoseconds).best / figures_of(rounds->nanoseconds).best};
}

// Time of the subject over the time of memset.
Figure against_memset(const TimedCase& timed, const Subject* subject) {
  const Rounds* rounds = subject == nullptr ? nullptr : rounds_of(*subject, Temperature::hot);
  if (rounds == nullptr || !timed.literal.ends_with(tiny_example)) return std::nullopt;
  for (const Limit& limit : timed.limits) {
    const Rounds* memset = rounds_of(limit, Temperature::hot);
    if (limit.probe != Probe::memset || limit.threads != 1 || memset == nullptr) continue;
    return GoalFigure{1 / compare_paired(rounds->nanoseconds, memset->nanoseconds).ratio,
                      figures_of(rounds->nanoseconds).best / figures_of(memset->nanoseconds).best};
  }
  return std::nullopt;
}

Figure tiny_direct(const BenchRun&, const TimedCase& timed) {
  return against_memset(timed, find_subject(timed, one_thread));
}

Figure tiny_through_the_table(const BenchRun&, const TimedCase& timed) {
  for (const Subject& subject : timed.subjects) {
    if (is_plugin(subject) && is_ours(subject)) return against_memset(timed, &subject);
  }
  return std::nullopt;
}

}  // namespace

const std::vector<Goal>& all_goals() {
  static const std::vector<Goal> goals = {
      {"G1",
       "Outputs of 64 MiB and more, one thread: 0.90 of the limit in every case, 0.95 in the geometric mean; "
       "bytes read count where the input exceeds the level 2 cache",
       0.90, 0.95, false, large},
      {"G2", "The same outputs, several threads (`openmp`): 0.85 of the limit of as many threads", 0.85, 0,
       false, large_in_threads},
      {"G3", "Outputs of 4 KiB to 1 MiB whose innermost run has 256 bytes or more: 0.90 of the limit", 0.90,
       0, false, long_runs},
      {"G4", "Outputs up to 1 MiB, one repeated axis, a period of 1 to 64 bytes: 0.80 of the limit", 0.80, 0,
       false, short_periods},
      {"G5", "Outputs up to 1 MiB with several repeated axes: 0.70 of the limit", 0.70, 0, false,
       several_axes},
      {"G6, small source", "Outputs of 1 to 24 MiB, hot, from at most 16 KiB: 0.85 of the limit", 0.85, 0,
       false, medium_of_small_source},
      {"G6, larger source",
       "Outputs of 1 to 24 MiB, hot, from more than 16 KiB: 0.95 of the faster copy of the same footprint",
       0.95, 0, false, medium_of_larger_source},
      {"G7", "All cases: 4 times the speed of each case's fastest framework, in the geometric mean", 0, 4,
       false, against_frameworks},
      {"G8", "All cases: none slower than its fastest framework", 1, 0, false, against_frameworks},
      {"G9, direct call",
       "`f32[2,3,4] x i64{1,2,3}`: at most 2.5 times the time of memset of the same 576 bytes", 2.5, 0, true,
       tiny_direct},
      {"G9, plugin", "The same through the plugin table: at most 3.5 times", 3.5, 0, true,
       tiny_through_the_table},
  };
  return goals;
}

bool meets(const Goal& goal, double figure) noexcept {
  return goal.at_most ? figure <= goal.threshold : figure >= goal.threshold;
}

GoalResult result_of(const Goal& goal, const BenchRun& run) {
  GoalResult result;
  std::vector<double> medians, bests;
  for (const TimedCase& timed : run.cases) {
    const Figure figure = goal.figure(run, timed);
    if (!figure) continue;
    result.cases.push_back({&timed, *figure});
    result.met += meets(goal, figure->median) ? 1 : 0;
    medians.push_back(figure->median);
    bests.push_back(figure->best);
  }
  std::stable_sort(result.cases.begin(), result.cases.end(),
                   [&goal](const GoalCase& one, const GoalCase& other) {
                     return goal.at_most ? one.figure.median > other.figure.median
                                         : one.figure.median < other.figure.median;
                   });
  result.mean = {geometric_mean(medians), geometric_mean(bests)};
  return result;
}

int repeated_levels(const std::string& literal) {
  const auto question = parse_case(literal);
  if (!question) return 0;
  const CallTensors tensors = make_shape_call(*question);
  const auto promoted = promote(tensors.call());
  if (!promoted || element_count(promoted->output).value_or(0) == 0) return 0;
  std::vector<Axis> axes;
  for (std::size_t axis = 0; axis < promoted->data.size(); ++axis)
    axes.push_back({promoted->data[axis], promoted->repeats[axis], promoted->output[axis]});
  const TilePlan plan = plan_tile(axes, 1);
  int repeated = 0;
  for (int level = 0; level < plan.count; ++level)
    repeated += plan.levels[level].repeats > 1 ? 1 : 0;
  return repeated;
}

}  // namespace certile
