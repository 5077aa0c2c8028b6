#include "bench/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bench/run/statistics.hpp"
#include "conformance/text/printable.hpp"

namespace certile::bench {
namespace {

constexpr int bar_half = 8;  // characters on each side of the middle of a bar
constexpr std::size_t columns_before_literal = 2 + 5 + 2 + 2 * bar_half + 1 + 2;

// A case as a summary ranks it.
struct Ranked {
  const TimedCase* timed;
  double value;  // the ratio to the baseline, or without one the share of the reference
  Word word;     // of the ratio
};

// One backend on all cases of a run.
struct Standing {
  std::string name;
  bool is_compared = false;    // with the baseline
  std::vector<Ranked> ranked;  // the slowest first
  int left_out = 0;            // cases without a value
  const TimedCase* first_left_out = nullptr;
  std::string why_left_out;
};

std::optional<Measured> hot_or_cold(const BenchRun& run, const TimedCase& timed, const Subject& subject) {
  auto figures = measured(run, timed, subject, Temperature::hot);
  return figures ? figures : measured(run, timed, subject, Temperature::cold);
}

std::string verdict_text(const Subject& subject) {
  const std::string why = subject.why.empty() ? "" : ": " + conformance::printable(subject.why);
  return std::string(name(subject.verdict)) + why;
}

// Returns why a backend has no value for a case.
std::string reason(const BenchRun& run, const TimedCase& timed, const Subject& subject, bool is_timed) {
  if (!is_timed) return verdict_text(subject);
  const Subject* baseline = find_subject(timed, run.baseline);
  if (baseline == nullptr || baseline == &subject) return "no reference was measured";
  return short_name(run.baseline) + ": " + verdict_text(*baseline);
}

Standing standing_of(const BenchRun& run, const std::string& backend, bool is_compared) {
  Standing standing;
  standing.name = backend;
  standing.is_compared = is_compared;
  for (const TimedCase& timed : run.cases) {
    const Subject* subject = find_subject(timed, backend);
    if (subject == nullptr) continue;
    const auto figures = hot_or_cold(run, timed, *subject);
    if (figures && is_compared && figures->to_baseline) {
      standing.ranked.push_back({&timed, figures->to_baseline->ratio, figures->to_baseline->word});
    } else if (figures && !is_compared && figures->share) {
      standing.ranked.push_back({&timed, figures->share->median, Word::no_difference});
    } else if (++standing.left_out == 1) {
      standing.first_left_out = &timed;
      standing.why_left_out = reason(run, timed, *subject, figures.has_value());
    }
  }
  std::ranges::stable_sort(standing.ranked, {}, &Ranked::value);
  return standing;
}

std::vector<Standing> standings_of(const BenchRun& run) {
  std::vector<std::string> names = subjects_of(run);
  const bool is_compared = !run.baseline.empty() && names.size() > 1;
  if (is_compared) std::erase(names, run.baseline);
  std::vector<Standing> standings;
  for (const std::string& each : names)
    standings.push_back(standing_of(run, each, is_compared));
  return standings;
}

std::string counts_text(const Standing& standing) {
  std::vector<std::string> phrases;
  for (const Word word : {Word::faster, Word::slower, Word::no_difference, Word::too_few_rounds}) {
    const auto count = std::ranges::count(standing.ranked, word, &Ranked::word);
    if (count > 0 || word != Word::too_few_rounds)
      phrases.push_back(fmt::format("{} in {}", name(word), count));
  }
  return conformance::joined(phrases, ", ");
}

std::string extent_text(const BenchRun& run, const Standing& standing) {
  std::vector<double> values;
  for (const Ranked& each : standing.ranked)
    values.push_back(each.value);
  const std::string of =
      standing.is_compared ? "times as fast as " + short_name(run.baseline) : std::string("of the reference");
  return fmt::format("{} {} in the median, {} to {}", ratio_text(median(values)), of,
                     ratio_text(values.front()), ratio_text(values.back()));
}

// Returns the median share of the reference for each regime, in the run's order of regimes.
std::string regimes_text(const BenchRun& run, const std::string& backend) {
  std::vector<std::string> phrases;
  for (const std::string& regime : regimes_of(run)) {
    std::vector<double> shares;
    for (const TimedCase& timed : run.cases) {
      const Subject* subject = timed.regime == regime ? find_subject(timed, backend) : nullptr;
      const auto figures = subject ? hot_or_cold(run, timed, *subject) : std::nullopt;
      if (figures && figures->share) shares.push_back(figures->share->median);
    }
    if (!shares.empty()) phrases.push_back(conformance::printable(regime) + "=" + share_text(median(shares)));
  }
  return conformance::joined(phrases, ", ");
}

std::string bar_text(const Ranked& each, bool is_compared, double octaves) {
  if (!is_compared) {
    const double part = std::clamp(each.value, 0.0, 1.0);
    return std::string(static_cast<std::size_t>(std::lround(part * (2 * bar_half + 1))), '#');
  }
  std::string left(bar_half, ' '), right;
  if (each.word == Word::faster || each.word == Word::slower) {
    const double length = bar_half * std::abs(std::log2(each.value)) / octaves;
    const auto marks = static_cast<std::size_t>(std::clamp<long>(std::lround(length), 1, bar_half));
    if (each.word == Word::faster)
      right = std::string(marks, '#');
    else
      left.replace(bar_half - marks, marks, marks, '#');
  }
  return left + (each.word == Word::too_few_rounds ? '?' : '|') + right;
}

void write_cases(std::ostream& out, const BenchRun& run, const Standing& standing, std::size_t columns) {
  double octaves = 1;  // what half a bar stands for
  for (const Ranked& each : standing.ranked)
    octaves = std::max(octaves, std::abs(std::log2(each.value)));
  const std::string legend =
      standing.is_compared
          ? fmt::format(
                "Each case, the slowest first. Left of the middle: slower than {}; right: faster; "
                "no bar: no difference. Half a bar is a factor of {}.",
                short_name(run.baseline), ratio_text(std::exp2(octaves)))
          : std::string("Each case, the slowest first. A whole bar is the reference.");
  out << '\n';
  write_wrapped(out, legend, columns);
  for (const Ranked& each : standing.ranked)
    out << fmt::format("  {:>5}  {:<17}  {}\n", ratio_text(each.value),
                       bar_text(each, standing.is_compared, octaves),
                       conformance::shortened(each.timed->literal, columns - columns_before_literal - 1));
}

void write_standing(std::ostream& out, const BenchRun& run, const Standing& standing, std::size_t columns) {
  const auto cases = conformance::counted(static_cast<std::int64_t>(standing.ranked.size()), "case");
  const std::string heading =
      standing.is_compared
          ? fmt::format("{} against {}, {}: {}", short_name(standing.name), short_name(run.baseline), cases,
                        counts_text(standing))
          : fmt::format("{}, {}; --baseline NAME compares with another", short_name(standing.name), cases);
  write_wrapped(out, heading, columns);
  const auto write_case = [&](const char* which, const std::string& value, const TimedCase& timed) {
    const std::string start = fmt::format("  {:<8} {:>5}  ", which, value);
    out << start << conformance::shortened(timed.literal, columns - start.size() - 1) << '\n';
  };
  if (!standing.ranked.empty()) {
    const Ranked &worst = standing.ranked.front(), &best = standing.ranked.back();
    write_wrapped(out, "  speed     " + extent_text(run, standing), columns);
    write_case("worst", ratio_text(worst.value), *worst.timed);
    write_case("best", ratio_text(best.value), *best.timed);
    const std::string regimes = regimes_text(run, standing.name);
    if (!regimes.empty()) write_wrapped(out, "  share of the reference: " + regimes, columns);
  }
  if (standing.left_out == 0) return;
  write_case("left out", std::to_string(standing.left_out), *standing.first_left_out);
  write_wrapped(out, std::string(18, ' ') + standing.why_left_out, columns);
}

}  // namespace

void write_summary(std::ostream& out, const BenchRun& run, std::size_t columns) {
  const std::vector<Standing> standings = standings_of(run);
  for (const Standing& each : standings) {
    if (&each != &standings.front()) out << '\n';
    write_standing(out, run, each, columns);
  }
  if (standings.empty()) out << "nothing was timed\n";
  const bool is_one = standings.size() == 1;
  if (is_one && !standings.front().ranked.empty()) write_cases(out, run, standings.front(), columns);
  out << '\n';
  write_wrapped(out,
                std::string(is_one ? "" : "Name one backend for a line for each case. ") +
                    "--verbose adds times, intervals, cold caches and the machine. "
                    "docs/benchmarking.md explains regimes and the reference.",
                columns);
}

}  // namespace certile::bench
