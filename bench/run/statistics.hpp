#pragma once
#include <span>
#include <string_view>
#include <vector>

// Statistics of timings on a machine that others use too.  They rest on medians and order statistics: no
// distribution is assumed, no random number is drawn, and one stolen time slice has no effect.
namespace certile::bench {

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

}  // namespace certile::bench
