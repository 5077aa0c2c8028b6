#include "bench/run/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/timing/measure.hpp"

namespace certile::bench {
namespace {

// A middling rate between backends and sizes; the correction while the run goes on makes up for the error.
constexpr double bytes_a_second = 4e9;

}  // namespace

double expected_seconds(std::uint64_t output_bytes, int things, int rounds, double budget) {
  const double call = static_cast<double>(output_bytes) / bytes_a_second;
  const double calls = static_cast<double>(least_calls) + 1;  // in a batch, with the untimed one
  const double batch = std::max(MeasureOptions{}.batch_seconds, calls * call);
  const double trial = batch;
  return things * std::max(call, std::min(budget, rounds * batch + trial));
}

double seconds_left(const std::vector<double>& expected, std::size_t done, double elapsed) {
  const auto border = expected.begin() + static_cast<std::ptrdiff_t>(done);
  const double before = std::accumulate(expected.begin(), border, 0.0);
  const double after = std::accumulate(border, expected.end(), 0.0);
  return before > 0 ? after * elapsed / before : after;
}

std::string duration_text(double seconds) {
  if (seconds < 1) return "less than a second";
  const auto whole = std::llround(seconds);
  if (whole < 100) return fmt::format("{} s", whole);
  const auto minutes = std::llround(seconds / 60);
  if (minutes < 100) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace certile::bench
