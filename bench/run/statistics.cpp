#include "bench/run/statistics.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace certile::bench
