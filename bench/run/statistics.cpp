#include "bench/run/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <set>

#include "bench/run/suite.hpp"

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
  switch (word) {
    case Word::faster:
      return "faster";
    case Word::slower:
      return "slower";
    case Word::no_difference:
      return "no difference";
    case Word::too_few_rounds:
      return "too few rounds";
  }
  return "";
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
  if (cores < more_than_one_core) return 1;
  int nearest = 1;
  const auto distance = [cores](int threads) { return std::abs(cores - threads); };
  for (const Limit& limit : timed.limits) {
    if (limit.threads < 2) continue;
    const bool nearer = distance(limit.threads) < distance(nearest);
    const bool smaller_tie = distance(limit.threads) == distance(nearest) && limit.threads < nearest;
    if (nearest == 1 || nearer || smaller_tie) nearest = limit.threads;
  }
  return nearest;
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
  result.best_bytes_per_second = written / result.nanoseconds.best * 1e9;
  result.threads = fair_threads(timed, rounds->cores);
  result.limit = writing_limit(timed, temperature, result.threads);
  const double moved = written > 0 ? static_cast<double>(bytes_moved(timed, run.machine)) / written : 1;
  result.share = share_of(result.limit, temperature, *rounds, moved);
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
  for (const Subject& subject : timed.subjects) {
    if (subject.name == name) return &subject;
  }
  return nullptr;
}

std::vector<std::string> regimes_of(const BenchRun& run) {
  std::vector<std::string> regimes;
  for (const TimedCase& timed : run.cases) {
    if (std::find(regimes.begin(), regimes.end(), timed.regime) == regimes.end())
      regimes.push_back(timed.regime);
  }
  return regimes;
}

std::vector<std::string> subjects_of(const BenchRun& run) {
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (const TimedCase& timed : run.cases) {
    for (const Subject& subject : timed.subjects) {
      if (seen.insert(subject.name).second) names.push_back(subject.name);
    }
  }
  return names;
}

}  // namespace certile::bench
