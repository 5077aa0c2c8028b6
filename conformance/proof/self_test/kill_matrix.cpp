#include "conformance/proof/self_test/kill_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "conformance/plan/case_id.hpp"

namespace certile::conformance {
namespace {

constexpr std::string_view magic = "certile-kill-matrix 1";

// Returns "M01 M04-M08" for the mutants of a row, a range being of neighbours in the list; "none" for no
// mutant.
std::string spelled(const std::vector<bool>& kills, const std::vector<std::string>& mutants) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < kills.size(); begin = end + 1) {
    end = begin;
    if (!kills[begin]) continue;
    while (end < kills.size() && kills[end])
      ++end;
    text += (text.empty() ? "" : " ") + mutants[begin];
    if (end - begin > 1) text += "-" + mutants[end - 1];
  }
  return text.empty() ? "none" : text;
}

std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && !text.empty();
}

// A reader of the lines of a matrix.
class Parser {
 public:
  // Takes a line.  Returns false if the line is wrong.
  bool take(std::string_view line) {
    const std::string_view word = take_word(line);
    if (word == "tier") {
      const auto tier = tier_named(line);
      if (tier) matrix_.tier = *tier;
      return tier.has_value();
    }
    if (word == "seed") return read_number(line, matrix_.seed);
    if (word == "budget") {
      matrix_.budget = line;
      return static_cast<bool>(parse_budget(line));
    }
    if (word == "plan") {
      matrix_.plan_digest = line;
      return !line.empty();
    }
    if (word == "mutants") {
      while (!line.empty())
        matrix_.mutants.emplace_back(take_word(line));
      return !matrix_.mutants.empty();
    }
    if (word == "killed") return take_kills(line);
    return word == "case" && take_case(line);
  }
  KillMatrix matrix() && { return std::move(matrix_); }

 private:
  std::optional<std::size_t> number_of(std::string_view mutant) const {
    const auto found = std::ranges::find(matrix_.mutants, mutant);
    if (found == matrix_.mutants.end()) return std::nullopt;
    return static_cast<std::size_t>(found - matrix_.mutants.begin());
  }

  bool take_kills(std::string_view line) {
    kills_.assign(matrix_.mutants.size(), false);
    if (line == "none") return true;
    while (!line.empty()) {
      const std::string_view range = take_word(line);
      const std::size_t dash = range.find('-');
      const auto first = number_of(range.substr(0, dash));
      const auto last = dash == std::string_view::npos ? first : number_of(range.substr(dash + 1));
      if (!first || !last) return false;
      for (std::size_t mutant = *first; mutant <= *last; ++mutant)
        kills_[mutant] = true;
    }
    return true;
  }

  bool take_case(std::string_view line) {
    const std::string_view id = take_word(line), generator = take_word(line), cost = take_word(line);
    KillMatrix::Row row{std::string(line), {}, false, 0, kills_};
    const auto named = generator_named(generator);
    if (!named || !read_number(cost, row.cost) || id != case_id(line) || kills_.empty()) return false;
    row.generator = *named;
    matrix_.rows.push_back(std::move(row));
    return true;
  }

  KillMatrix matrix_;
  std::vector<bool> kills_;  // of the cases that follow
};

}  // namespace

bool KillMatrix::kills_any(const Row& row) noexcept {
  return std::ranges::find(row.kills, true) != row.kills.end();
}

std::int64_t rounded_cost(std::int64_t microseconds) noexcept {
  return static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(microseconds, 1))));
}

void write_matrix(std::ostream& out, const KillMatrix& matrix) {
  out << magic << "\ntier " << name(matrix.tier) << "\nseed " << matrix.seed << '\n';
  if (!matrix.budget.empty()) out << "budget " << matrix.budget << '\n';
  out << "plan " << matrix.plan_digest << "\nmutants";
  for (const std::string& mutant : matrix.mutants)
    out << ' ' << mutant;
  out << '\n';
  std::map<std::vector<bool>, std::vector<const KillMatrix::Row*>> groups;
  for (const KillMatrix::Row& row : matrix.rows)
    groups[row.kills].push_back(&row);
  std::vector<const std::vector<const KillMatrix::Row*>*> ordered;
  for (const auto& [kills, rows] : groups)
    ordered.push_back(&rows);
  std::ranges::sort(ordered, {}, [](const auto* rows) { return rows->front(); });  // as in the plan
  for (const auto* rows : ordered) {
    out << "killed " << spelled(rows->front()->kills, matrix.mutants) << '\n';
    for (const KillMatrix::Row* row : *rows)
      out << "case " << case_id(row->literal) << ' ' << name(row->generator) << ' ' << rounded_cost(row->cost)
          << ' ' << row->literal << '\n';
  }
}

Result<KillMatrix> parse_matrix(std::string_view text, const std::string& named) {
  Parser parser;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const bool is_right = number == 1 ? line == magic : parser.take(line);
    if (!is_right)
      return Error{Error::Code::bad_literal,
                   named + ":" + std::to_string(number) + ": is no line of a kill matrix"};
  }
  KillMatrix matrix = std::move(parser).matrix();
  if (matrix.rows.empty()) return Error{Error::Code::bad_literal, named + " is a kill matrix without cases"};
  return matrix;
}

void write_matrix_summary(std::ostream& out, const KillMatrix& matrix, std::int64_t few) {
  struct Worth {
    std::int64_t cases = 0, idle = 0, kills = 0, cost = 0;
    std::vector<bool> killed{};
    int alone = 0;  // mutants that no other generator kills
  };
  std::vector<std::int64_t> killers(matrix.mutants.size());
  std::map<Generator, Worth> worths;
  for (const KillMatrix::Row& row : matrix.rows) {
    Worth& worth = worths[row.generator];
    worth.killed.resize(matrix.mutants.size());
    ++worth.cases;
    worth.cost += row.cost;
    if (!KillMatrix::kills_any(row)) ++worth.idle;
    for (std::size_t mutant = 0; mutant < row.kills.size(); ++mutant)
      if (row.kills[mutant]) {
        ++killers[mutant];
        ++worth.kills;
        worth.killed[mutant] = true;
      }
  }
  for (std::size_t mutant = 0; mutant < killers.size(); ++mutant) {
    Worth* only = nullptr;
    int generators = 0;
    for (auto& [generator, worth] : worths)
      if (worth.killed[mutant]) {
        only = &worth;
        ++generators;
      }
    if (generators == 1) ++only->alone;
  }
  out << fmt::format("{:<24}{:>9}{:>12}{:>9}{:>8}{:>12}{:>13}\n", "generator", "cases", "kill none",
                     "mutants", "alone", "ms", "kills per ms");
  for (const auto& [generator, worth] : worths)
    out << fmt::format(
        "{:<24}{:>9}{:>12}{:>9}{:>8}{:>12.1f}{:>13.0f}\n", name(generator), worth.cases, worth.idle,
        std::ranges::count(worth.killed, true), worth.alone, static_cast<double>(worth.cost) / 1e3,
        1e3 * static_cast<double>(worth.kills) / static_cast<double>(std::max<std::int64_t>(worth.cost, 1)));
  const auto killed = std::ranges::count_if(killers, [](std::int64_t count) { return count > 0; });
  const auto list = [&](const char* words, auto wanted) {
    std::string names;
    for (std::size_t mutant = 0; mutant < killers.size(); ++mutant)
      if (wanted(killers[mutant]))
        names += fmt::format(" {}{}", matrix.mutants[mutant],
                             killers[mutant] > 0 ? fmt::format(" ({})", killers[mutant]) : "");
    if (!names.empty()) out << words << names << '\n';
  };
  list("survive:", [](std::int64_t count) { return count == 0; });
  list("fragile:", [few](std::int64_t count) { return count > 0 && count < few; });
  out << fmt::format(
      "kill matrix  {}   {} of {} mutants killed   {} cases, of which {} kill none\n", name(matrix.tier),
      killed, killers.size(), matrix.rows.size(),
      std::ranges::count_if(matrix.rows, [](const auto& row) { return !KillMatrix::kills_any(row); }));
}

void write_kills(std::ostream& out, const KillMatrix& matrix) {
  std::vector<bool> killed(matrix.mutants.size());
  for (const KillMatrix::Row& row : matrix.rows)
    for (std::size_t mutant = 0; mutant < killed.size(); ++mutant)
      killed[mutant] = killed[mutant] || row.kills[mutant];
  std::string survivors;
  for (std::size_t mutant = 0; mutant < killed.size(); ++mutant)
    if (!killed[mutant]) survivors += " " + matrix.mutants[mutant];
  if (!survivors.empty()) out << "survive:" << survivors << '\n';
  const auto count = std::ranges::count(killed, true);
  out << fmt::format("budget {} of {}   {} of {} mutants killed ({:.1f} %)\n", matrix.budget,
                     name(matrix.tier), count, killed.size(),
                     100.0 * static_cast<double>(count) / static_cast<double>(killed.size()));
}

}  // namespace certile::conformance
