#include "conformance/proof/self_test/learned_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace certile::conformance {
namespace {

constexpr std::int64_t budget_to_learn_for = 1000;
constexpr double share_of_all_alike = 0.25;
constexpr double microseconds_of_a_case = 1000;  // a case that takes as long has twice the price

using RowsByLiteral = std::unordered_map<std::string_view, const KillMatrix::Row*>;

RowsByLiteral rows_by_literal(const KillMatrix& matrix) {
  RowsByLiteral rows;
  for (const KillMatrix::Row& row : matrix.rows)
    rows.emplace(row.literal, &row);
  return rows;
}

// A measurement of the sequences of one generator.
struct Yield {
  std::int64_t sequences = 0, cases = 0, cost = 0;
  // The share of sequences that kill each mutant, as a mean of its shares in each cell.
  std::vector<double> rates{};

  double price() const noexcept {
    return (static_cast<double>(cases) + static_cast<double>(cost) / microseconds_of_a_case) /
           static_cast<double>(sequences);
  }
  double length() const noexcept { return static_cast<double>(cases) / static_cast<double>(sequences); }
};

struct CellTally {
  std::int64_t sequences = 0;
  std::vector<std::int64_t> kills{};
};

std::map<Generator, Yield> yields_of(const KillMatrix& matrix, const std::vector<PlannedCase>& cases) {
  const RowsByLiteral rows = rows_by_literal(matrix);
  std::map<Generator, Yield> yields;
  std::map<std::pair<Generator, Cell>, CellTally> cells;
  std::vector<bool> killed;
  for (std::size_t begin = 0, end = 0; begin < cases.size(); begin = end) {
    const PlannedCase& first = cases[begin];
    Yield& yield = yields[first.generator];
    killed.assign(matrix.mutants.size(), false);
    do {
      const KillMatrix::Row& row = *rows.at(cases[end].literal);
      yield.cost += row.cost;
      for (std::size_t mutant = 0; mutant < killed.size(); ++mutant)
        killed[mutant] = killed[mutant] || row.kills[mutant];
      ++end;
    } while (end < cases.size() && cases[end].follows && cases[end].generator == first.generator);
    ++yield.sequences;
    yield.cases += static_cast<std::int64_t>(end - begin);
    CellTally& cell = cells[{first.generator, cell_of(first.question())}];
    cell.kills.resize(matrix.mutants.size());
    ++cell.sequences;
    for (std::size_t mutant = 0; mutant < killed.size(); ++mutant)
      if (killed[mutant]) ++cell.kills[mutant];
  }
  std::map<Generator, int> cell_counts;
  for (const auto& [key, cell] : cells) {
    Yield& yield = yields[key.first];
    yield.rates.resize(matrix.mutants.size());
    ++cell_counts[key.first];
    for (std::size_t mutant = 0; mutant < cell.kills.size(); ++mutant)
      yield.rates[mutant] += static_cast<double>(cell.kills[mutant]) / static_cast<double>(cell.sequences);
  }
  for (auto& [generator, yield] : yields)
    for (double& rate : yield.rates)
      rate /= cell_counts[generator];
  return yields;
}

std::int64_t count_of(const std::vector<bool>& flags) {
  return std::ranges::count(flags, true);
}

}  // namespace

Weights learned_weights(const KillMatrix& matrix, const std::vector<PlannedCase>& cases,
                        const std::vector<bool>& counts) {
  const std::map<Generator, Yield> yields = yields_of(matrix, cases);
  std::array<double, generator_count> sequences{};
  const double alike = share_of_all_alike * static_cast<double>(budget_to_learn_for) / generator_count;
  double left = static_cast<double>(budget_to_learn_for);
  std::vector<double> survival(matrix.mutants.size(), 1);  // how likely each mutant survives
  const auto add = [&](Generator generator, const Yield& yield, double number) {
    sequences[static_cast<std::size_t>(generator)] += number;
    left -= number * yield.length();
    for (std::size_t mutant = 0; mutant < survival.size(); ++mutant)
      survival[mutant] *= std::pow(1 - yield.rates[mutant], number);
  };
  for (const auto& [generator, yield] : yields)
    add(generator, yield, std::min(alike / yield.length(), static_cast<double>(yield.sequences)));
  while (left > 0) {
    const std::pair<const Generator, Yield>* best = nullptr;
    double most = 0;
    for (const auto& each : yields) {
      const Yield& yield = each.second;
      if (sequences[static_cast<std::size_t>(each.first)] + 1 > static_cast<double>(yield.sequences))
        continue;
      double gain = 0;
      for (std::size_t mutant = 0; mutant < survival.size(); ++mutant)
        if (counts[mutant]) gain += survival[mutant] * yield.rates[mutant];
      if (gain / yield.price() <= most) continue;
      most = gain / yield.price();
      best = &each;
    }
    if (best == nullptr) break;  // every mutant is as good as killed, or nothing is left
    add(best->first, best->second, 1);
  }
  Weights weights{};
  constexpr double tenths = 10;
  for (std::size_t generator = 0; generator < generator_count; ++generator)
    weights.of[generator] = static_cast<std::uint32_t>(
        std::max(std::llround(tenths * (sequences[generator] > 0 ? sequences[generator] : alike)), 1LL));
  return weights;
}

std::vector<bool> killed_by_first(std::int64_t budget, const Weights& weights, const KillMatrix& matrix,
                                  const std::vector<PlannedCase>& cases) {
  const RowsByLiteral rows = rows_by_literal(matrix);
  std::vector<PlannedCase> ordered = cases;
  put_most_telling_first(ordered, weights);
  keep_first(ordered, budget);
  std::vector<bool> killed(matrix.mutants.size());
  for (const PlannedCase& planned : ordered) {
    const KillMatrix::Row& row = *rows.at(planned.literal);
    for (std::size_t mutant = 0; mutant < killed.size(); ++mutant)
      killed[mutant] = killed[mutant] || row.kills[mutant];
  }
  return killed;
}

void write_learned(std::ostream& out, const KillMatrix& matrix, const std::vector<PlannedCase>& cases) {
  const std::size_t all = matrix.mutants.size();
  const Weights weights = learned_weights(matrix, cases, std::vector<bool>(all, true));
  const auto killed = killed_by_first(budget_to_learn_for, weights, matrix, cases);
  std::int64_t killed_unseen = 0;
  std::string survivors;
  for (const std::size_t half : {std::size_t{0}, std::size_t{1}}) {
    std::vector<bool> counts(all);
    for (std::size_t mutant = half; mutant < all; mutant += 2)
      counts[mutant] = true;
    const auto found =
        killed_by_first(budget_to_learn_for, learned_weights(matrix, cases, counts), matrix, cases);
    for (std::size_t mutant = 1 - half; mutant < all; mutant += 2) {
      killed_unseen += found[mutant] ? 1 : 0;
      if (!found[mutant]) survivors += " " + matrix.mutants[mutant];
    }
  }
  const auto percent = [all](std::int64_t part) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(all, 1));
  };
  out << "# The frequencies of the generators, relative to each other, where a budget asks few cases of a "
         "tier.\n"
         "# certile self-test --learn MATRIX wrote this file; docs/self-test.md says how.\n"
      << fmt::format(
             "# Of the {} mutants of the tier {}, {} cases kill {} ({:.1f} %); {} ({:.1f} %) if the weights "
             "for each half of\n"
             "# the mutants are learned from the other half.\n",
             all, name(matrix.tier), budget_to_learn_for, count_of(killed), percent(count_of(killed)),
             killed_unseen, percent(killed_unseen));
  if (!survivors.empty()) out << "# Then survive:" << survivors << '\n';
  for (std::size_t generator = 0; generator < generator_count; ++generator)
    out << name(static_cast<Generator>(generator)) << ' ' << weights.of[generator] << '\n';
}

}  // namespace certile::conformance
