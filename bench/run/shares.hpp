#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "bench/run/statistics.hpp"

// What follows from a run's facts: rates, shares of the limit, ratios to the baseline.
namespace certile {

// What a backend has to move: the output's bytes, and the input's where the input does not fit in the level 2
// cache and so is read from further away.  Of an unknown cache: the output's.
std::uint64_t bytes_moved(const TimedCase& timed, const Machine& machine) noexcept;

// The thread count whose limits are fair to something that kept `cores` cores busy: 1 below 1.25, else the
// nearest one that was measured above 1 (the smaller of two that are equally near), and 1 where none was.
int fair_threads(const TimedCase& timed, double cores) noexcept;

// The fastest, by median, of the ways to write the output's bytes (fill, non-temporal fill, memset) with that
// many threads; null where none was measured.
const Limit* writing_limit(const TimedCase& timed, Temperature temperature, int threads) noexcept;
// The faster of an ordinary and a non-temporal copy of the case's footprint.
const Limit* copying_limit(const TimedCase& timed, Temperature temperature, int threads) noexcept;

// A part of a limit: the median over the rounds, each against the limit's time of the same round; and the
// best call against the limit's best call.
struct Share {
  double median = 0;
  double best = 0;
  std::vector<double> rounds;
};

struct Measured {
  Figures nanoseconds;                     // per call
  double bytes_per_second = 0;             // written, median
  double best_bytes_per_second = 0;        // written, best
  int threads = 1;                         // of the limits taken
  const Limit* limit = nullptr;            // what `share` refers to
  std::optional<Share> share;              // bytes moved per time, of the limit's bytes written per time
  std::optional<Share> copy_share;         // of the copying limit; footprint equal, so times are compared
  std::optional<Comparison> to_baseline;   // nothing: it is the baseline, or the baseline was not timed
  std::optional<double> best_to_baseline;  // of the best calls
};

// Nothing: the subject was not timed at that temperature.
std::optional<Measured> measured(const BenchRun& run, const TimedCase& timed, const Subject& subject,
                                 Temperature temperature);

const Subject* find_subject(const TimedCase& timed, std::string_view name) noexcept;

// In the order of their first appearance.
std::vector<std::string> regimes_of(const BenchRun& run);
std::vector<std::string> subjects_of(const BenchRun& run);

// The classes of output size that performance differs by: "up to 4 KiB", "up to 1 MiB", "up to 24 MiB",
// "up to 64 MiB" (exclusive), "64 MiB and more".
std::vector<std::string_view> size_classes();
std::string_view size_class(std::uint64_t output_bytes) noexcept;

// Geometric means over cases that both sides have figures for.
struct Means {
  double share = 0, best_share = 0;  // of the limit; 0: no such case
  double ratio = 0, best_ratio = 0;  // to the baseline; 0: no such case
  int shares = 0, ratios = 0;        // over so many cases
};
// Over the hot cases whose regime, or whose size class, has that name.
Means means_of(const BenchRun& run, std::string_view subject, std::string_view group);

}  // namespace certile
