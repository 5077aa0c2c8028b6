#include "bench/run/random_suite.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/plan/tiers/random.hpp"

namespace certile::bench {
namespace {

constexpr double least_log2 = 6, most_log2 = 28;  // 64 bytes to 256 MiB
constexpr int most_axes = 6;
constexpr unsigned percent_of_ones = 40;

// Returns a number between 0 and 1.
double fraction(conformance::Random& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

// Returns the element types with a countable number of bits, grouped by width.
const std::vector<std::vector<ElementType>>& types_by_width() {
  static const std::vector<std::vector<ElementType>> widths = [] {
    std::map<int, std::vector<ElementType>> by_width;
    for (const ElementType type : all_element_types())
      if (type != ElementType::string) by_width[bits(type)].push_back(type);
    std::vector<std::vector<ElementType>> all;
    for (auto& [width, types] : by_width)
      all.push_back(std::move(types));
    return all;
  }();
  return widths;
}

// Divides 2^log2 at random among `factors` factors.
std::vector<std::int64_t> divide(conformance::Random& random, double log2, std::size_t factors) {
  std::vector<double> parts;
  double sum = 0;
  for (std::size_t index = 0; index < factors; ++index) {
    parts.push_back(random.chance(percent_of_ones) ? 0 : fraction(random));
    sum += parts.back();
  }
  std::vector<std::int64_t> divided;
  for (const double part : parts)
    divided.push_back(sum == 0 ? 1 : std::max<std::int64_t>(1, std::llround(std::exp2(log2 * part / sum))));
  return divided;
}

std::string bracketed(char open, const std::vector<std::int64_t>& values, char close) {
  std::string text(1, open);
  for (const std::int64_t value : values)
    text += (text.size() > 1 ? "," : "") + std::to_string(value);
  return text + close;
}

std::optional<SuiteCase> draw(conformance::Random& random) {
  const double log2_bytes = least_log2 + (most_log2 - least_log2) * fraction(random);
  const ElementType type = random.pick(random.pick(types_by_width()));
  const auto rank = static_cast<std::size_t>(random.between(1, most_axes));
  const double log2_elements = std::max(0.0, log2_bytes + 3 - std::log2(bits(type)));
  const std::vector<std::int64_t> factors = divide(random, log2_elements, 2 * rank);
  const auto middle = factors.begin() + static_cast<std::ptrdiff_t>(rank);
  const std::string operands = " " + std::string(name(type)) +
                               bracketed('[', {factors.begin(), middle}, ']') + " x i64" +
                               bracketed('{', {middle, factors.end()}, '}');
  // Not every definition has every type.
  for (const DefinitionId definition : all_definitions()) {
    if (has_axis(definition)) continue;
    auto timed = case_to_time(std::string(name(definition)) + operands);
    if (!timed) continue;
    const double log2_drawn = [&] {
      double sum = std::log2(bits(type)) - 3;
      for (const std::int64_t factor : factors)
        sum += std::log2(static_cast<double>(factor));
      return sum;
    }();
    if (log2_drawn < least_log2 || log2_drawn > most_log2) return std::nullopt;
    timed->words = "random";
    return *std::move(timed);
  }
  return std::nullopt;
}

}  // namespace

Suite random_suite(std::int64_t count, std::uint64_t seed) {
  Suite suite{"random:" + std::to_string(seed), {}};
  conformance::Random random(seed);
  std::set<std::string> drawn;
  while (suite.cases.size() < static_cast<std::size_t>(std::max<std::int64_t>(count, 0))) {
    auto timed = draw(random);
    if (timed && drawn.insert(to_string(timed->question)).second) suite.cases.push_back(*std::move(timed));
  }
  return suite;
}

}  // namespace certile::bench
