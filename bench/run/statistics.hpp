#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/run/bench_run.hpp"

namespace certile::bench {

// Statistics of timings on a machine that others use too.  They rest on medians and order statistics: no
// distribution is assumed, no random number is drawn, and one stolen time slice has no effect.

// Returns the value below which the share `part` (0 to 1) of the values is, interpolated linearly. `values`
// must not be empty.
double quantile(std::vector<double> values, double part);
double median(std::span<const double> values);

// The summary of the rounds of one thing.
struct Figures {
  double median = 0;
  double best = 0;           // the least: times are what is summarised
  double low = 0, high = 0;  // the spread: a tenth of the rounds is below, a tenth above
  bool operator==(const Figures&) const = default;
};
Figures figures_of(std::span<const double> times);

// The confidence of every interval and of every word.
inline constexpr double confidence = 0.95;
// A smaller difference is called none, however certain it is.
inline constexpr double minimum_effect = 0.02;

enum class Word { faster, slower, no_difference, too_few_rounds };
std::string_view name(Word word) noexcept;  // "no difference"

// A comparison of the speed of two things.
struct Comparison {
  double ratio = 1;          // of the other's time to this one's: above 1, this one is faster
  double low = 0, high = 0;  // the ratio is between these, with the confidence above
  Word word = Word::too_few_rounds;
  bool operator==(const Comparison&) const = default;
};

// Compares rounds taken next to each other.  The ratio is the median of the ratios within the rounds; the
// interval is the exact one of the sign test, so it needs six rounds.  If the lists differ in length, the
// common rounds count.
Comparison compare_paired(std::span<const double> times, std::span<const double> other_times);

// Figures derived from a run's facts: rates, shares of the limit, ratios to the baseline.

// Returns the bytes that a backend has to move: the output's, plus the input's if the input does not fit in
// the level 2 cache and is read from further away.  If the cache size is unknown: the output's.
std::uint64_t bytes_moved(const TimedCase& timed, const Machine& machine) noexcept;

// Returns the thread count for limits that are fair to a subject that kept `cores` cores busy: 1 below 1.25,
// else the nearest measured count above 1 (the smaller of two that are equally near), and 1 if none was
// measured.
int fair_threads(const TimedCase& timed, double cores) noexcept;

// Returns the limit of writing the output with that many threads: the call that fills it, if it is tiny, else
// the fastest, by median, of the ways to write its bytes; null if none was measured.
const Limit* writing_limit(const TimedCase& timed, Temperature temperature, int threads) noexcept;
// Returns the fastest of the copies of the case's footprint.
const Limit* copying_limit(const TimedCase& timed, Temperature temperature, int threads) noexcept;

// A share of a limit: the median over the rounds, each against the limit's time of the same round; and the
// best call against the limit's best call.
struct Share {
  double median = 0;
  double best = 0;
  std::vector<double> rounds;
};

struct Measured {
  Figures nanoseconds;              // per call
  double bytes_per_second = 0;      // written, median
  int threads = 1;                  // of the limits taken
  std::optional<Share> share;       // bytes moved per time, of the writing limit's bytes written per time
  std::optional<Share> copy_share;  // of the copying limit; the footprints are equal, so times are compared
  std::optional<Comparison> to_baseline;   // empty for the baseline, or if the baseline was not timed
  std::optional<double> best_to_baseline;  // of the best calls
};

// Returns nothing if the subject was not timed at that temperature.
std::optional<Measured> measured(const BenchRun& run, const TimedCase& timed, const Subject& subject,
                                 Temperature temperature);

const Subject* find_subject(const TimedCase& timed, std::string_view name) noexcept;

// Returns the names in the order of their first appearance.
std::vector<std::string> regimes_of(const BenchRun& run);
std::vector<std::string> subjects_of(const BenchRun& run);

}  // namespace certile::bench
