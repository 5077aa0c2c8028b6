#include "bench/run/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>

namespace certile::bench {

namespace {

constexpr double tail = (1 - confidence) / 2;

// Returns the rank, from 1, of the interval's lower end among `count` ordered values; 0 if even the least and
// the greatest value do not enclose the median with that confidence.
std::size_t sign_test_rank(std::size_t count) {
  double probability = std::pow(0.5, static_cast<double>(count));  // of no value below the median, of one, …
  double below = 0;
  std::size_t rank = 0;
  while (rank < count / 2 && below + probability <= tail) {
    below += probability;
    probability *= static_cast<double>(count - rank) / static_cast<double>(rank + 1);
    ++rank;
  }
  return rank;
}

}  // namespace

double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const double position = part * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], position - static_cast<double>(below));
}

double median(std::span<const double> values) {
  return quantile({values.begin(), values.end()}, 0.5);
}

Figures figures_of(std::span<const double> times) {
  const std::vector<double> values(times.begin(), times.end());
  return {.median = quantile(values, 0.5),
          .best = *std::min_element(values.begin(), values.end()),
          .low = quantile(values, 0.1),
          .high = quantile(values, 0.9)};
}

std::string_view name(Word word) noexcept {
  constexpr std::string_view names[] = {"faster", "slower", "no difference", "too few rounds"};
  return names[static_cast<std::size_t>(word)];
}

Comparison compare_paired(std::span<const double> times, std::span<const double> other_times) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < std::min(times.size(), other_times.size()); ++round)
    ratios.push_back(other_times[round] / times[round]);
  Comparison result;
  if (ratios.empty()) return result;
  std::sort(ratios.begin(), ratios.end());
  result.ratio = quantile(ratios, 0.5);
  const std::size_t rank = sign_test_rank(ratios.size());
  if (rank == 0) {
    result.high = std::numeric_limits<double>::infinity();
    return result;
  }
  result.low = ratios[rank - 1];
  result.high = ratios[ratios.size() - rank];
  result.word = Word::no_difference;
  if (result.low > 1 && result.ratio >= 1 + minimum_effect) result.word = Word::faster;
  if (result.high < 1 && result.ratio <= 1 / (1 + minimum_effect)) result.word = Word::slower;
  return result;
}

namespace {

constexpr double more_than_one_core = 1.25;

const Limit* fastest(const TimedCase& timed, Temperature temperature, int threads,
                     std::initializer_list<Probe> probes) noexcept {
  const Limit* best = nullptr;
  double least = 0;
  for (const Limit& limit : timed.limits) {
    const Rounds* rounds = rounds_of(limit, temperature);
    if (rounds == nullptr || limit.threads != threads) continue;
    if (std::find(probes.begin(), probes.end(), limit.probe) == probes.end()) continue;
    const double time = median(rounds->nanoseconds);
    if (best == nullptr || time < least) {
      best = &limit;
      least = time;
    }
  }
  return best;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// Returns `factor` times the limit's time over the subject's.
std::optional<Share> share_of(const Limit* limit, Temperature temperature, const Rounds& rounds,
                              double factor) {
  if (limit == nullptr) return std::nullopt;
  const std::vector<double>& limits = rounds_of(*limit, temperature)->nanoseconds;
  Share share;
  for (std::size_t round = 0; round < std::min(limits.size(), rounds.nanoseconds.size()); ++round)
    share.rounds.push_back(factor * limits[round] / rounds.nanoseconds[round]);
  share.median = median(share.rounds);
  share.best = factor * figures_of(limits).best / figures_of(rounds.nanoseconds).best;
  return share;
}

}  // namespace

std::uint64_t bytes_moved(const TimedCase& timed, const Machine& machine) noexcept {
  const bool beyond_level2 = machine.level2_bytes > 0 && timed.input_bytes > machine.level2_bytes;
  return timed.output_bytes + (beyond_level2 ? timed.input_bytes : 0);
}

int fair_threads(const TimedCase& timed, double cores) noexcept {
  int nearest = 1;
  for (const Limit& limit : timed.limits) {
    const double further = std::abs(cores - limit.threads) - std::abs(cores - nearest);
    const bool is_nearer = further < 0 || (further == 0 && limit.threads < nearest);
    if (limit.threads > 1 && (nearest == 1 || is_nearer)) nearest = limit.threads;
  }
  return cores < more_than_one_core ? 1 : nearest;
}

const Limit* writing_limit(const TimedCase& timed, Temperature temperature, int threads) noexcept {
  if (const Limit* call = fastest(timed, temperature, threads, {Probe::call})) return call;
  return fastest(timed, temperature, threads,
                 {Probe::fill, Probe::fill_non_temporal, Probe::fill_string, Probe::memset});
}

const Limit* copying_limit(const TimedCase& timed, Temperature temperature, int threads) noexcept {
  return fastest(timed, temperature, threads,
                 {Probe::copy, Probe::copy_non_temporal, Probe::copy_string, Probe::memcpy});
}

std::optional<Measured> measured(const BenchRun& run, const TimedCase& timed, const Subject& subject,
                                 Temperature temperature) {
  const Rounds* rounds = rounds_of(subject, temperature);
  if (rounds == nullptr) return std::nullopt;
  const auto written = static_cast<double>(timed.output_bytes);
  Measured result;
  result.nanoseconds = figures_of(rounds->nanoseconds);
  result.bytes_per_second = written / result.nanoseconds.median * 1e9;
  result.threads = fair_threads(timed, rounds->cores);
  const double moved = written > 0 ? static_cast<double>(bytes_moved(timed, run.machine)) / written : 1;
  result.share = share_of(writing_limit(timed, temperature, result.threads), temperature, *rounds, moved);
  result.copy_share = share_of(copying_limit(timed, temperature, result.threads), temperature, *rounds, 1);

  const Subject* baseline = find_subject(timed, run.baseline);
  const Rounds* others = baseline == nullptr ? nullptr : rounds_of(*baseline, temperature);
  if (others != nullptr && subject.name != run.baseline) {
    result.to_baseline = compare_paired(rounds->nanoseconds, others->nanoseconds);
    result.best_to_baseline = figures_of(others->nanoseconds).best / result.nanoseconds.best;
  }
  return result;
}

const Subject* find_subject(const TimedCase& timed, std::string_view name) noexcept {
  const auto found = std::ranges::find(timed.subjects, name, &Subject::name);
  return found == timed.subjects.end() ? nullptr : &*found;
}

std::vector<std::string> regimes_of(const BenchRun& run) {
  std::vector<std::string> regimes;
  for (const TimedCase& timed : run.cases)
    add_once(regimes, timed.regime);
  return regimes;
}

std::vector<std::string> subjects_of(const BenchRun& run) {
  std::vector<std::string> names;
  for (const TimedCase& timed : run.cases)
    for (const Subject& subject : timed.subjects)
      add_once(names, subject.name);
  return names;
}

}  // namespace certile::bench
