#include "bench/report/report_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/report/figure_text.hpp"
#include "bench/run/statistics.hpp"
#include "bench/run/suite.hpp"
#include "conformance/text/printable.hpp"

namespace certile::bench {
namespace {

constexpr std::size_t literal_width = 80;
constexpr std::size_t why_width = 90;
constexpr std::size_t text_width = 120;

enum class Colour { green = 32, red = 31, yellow = 33 };

std::string coloured(const std::string& text, Colour colour, const TableOptions& options) {
  if (!options.colour) return text;
  return fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(colour), text);
}

std::string pair_text(const std::string& median, const std::string& best) {
  return fmt::format("{:>4} | {:<4}", median, best);
}

// Returns "90.1 | 92.0 GB/s fill".
std::string limit_figures(const TimedCase& timed, const Limit& limit, Temperature temperature) {
  const Figures figures = figures_of(rounds_of(limit, temperature)->nanoseconds);
  const auto bytes = static_cast<double>(timed.output_bytes);
  return fmt::format("{} {} | {}", limit_text(limit), rate_text(bytes / figures.median * 1e9),
                     rate_text(bytes / figures.best * 1e9));
}

// Returns the limits that shares are taken of: one thread, and each other count that was measured.
std::string limits_text(const TimedCase& timed) {
  std::vector<std::string> phrases;
  std::vector<int> seen;
  for (const Limit& limit : timed.limits) {
    if (std::find(seen.begin(), seen.end(), limit.threads) != seen.end()) continue;
    seen.push_back(limit.threads);
    if (const Limit* best = writing_limit(timed, Temperature::hot, limit.threads))
      phrases.push_back(limit_figures(timed, *best, Temperature::hot));
    if (const Limit* copy = copying_limit(timed, Temperature::hot, limit.threads))
      phrases.push_back(limit_figures(timed, *copy, Temperature::hot));
  }
  if (const Limit* cold = writing_limit(timed, Temperature::cold, 1))
    phrases.push_back("cold " + limit_figures(timed, *cold, Temperature::cold));
  return conformance::joined(phrases, ";  ");
}

void write_case_heading(std::ostream& out, const TimedCase& timed) {
  const std::string words =
      timed.words.empty() ? "" : "   " + conformance::shortened(conformance::printable(timed.words), 60);
  out << fmt::format("\n  {}   {}{}\n", conformance::shortened(timed.literal, literal_width),
                     size_text(timed.output_bytes), words);
  const std::string limits = limits_text(timed);
  if (!limits.empty()) write_wrapped(out, "    limits in GB/s: " + limits, text_width);
}

std::string baseline_text(const Measured& figures, const TableOptions& options) {
  if (!figures.to_baseline) return std::string(46, ' ');
  const Comparison& ratio = *figures.to_baseline;
  const std::string text = fmt::format(
      "{} {:<13} {:<14}", pair_text(ratio_text(ratio.ratio), ratio_text(*figures.best_to_baseline)),
      interval_text(ratio), name(ratio.word));
  if (ratio.word == Word::slower) return coloured(text, Colour::red, options);
  return ratio.word == Word::faster ? coloured(text, Colour::green, options) : text;
}

std::string shares_text(const std::optional<Share>& share) {
  return share ? pair_text(share_text(share->median), share_text(share->best)) : std::string(11, ' ');
}

void write_timed(std::ostream& out, const std::string& label, const Subject& subject, const Measured& figures,
                 double cores, const TableOptions& options) {
  const Figures& times = figures.nanoseconds;
  const std::string spread = fmt::format("-{:.0f} +{:.0f} %", 100 * (1 - times.low / times.median),
                                         100 * (times.high / times.median - 1));
  std::string line = fmt::format(
      "    {:<22} {:>8} {} {:<12} {} {}  {}", label, time_text(times.median),
      pair_text(rate_text(figures.bytes_per_second), rate_text(figures.best_bytes_per_second)), spread,
      shares_text(figures.share), figures.copy_share ? share_text(figures.copy_share->median) : "    ",
      baseline_text(figures, options));
  const std::string remark = remarks(subject, cores);
  if (!remark.empty()) line += " " + remark;
  out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
}

void write_subject(std::ostream& out, const BenchRun& run, const TimedCase& timed, const Subject& subject,
                   const TableOptions& options) {
  const std::string shown = short_name(subject.name);
  for (const Temperature temperature : {Temperature::hot, Temperature::cold}) {
    const auto figures = measured(run, timed, subject, temperature);
    if (!figures) continue;
    const std::string label = temperature == Temperature::cold ? shown + ", cold" : shown;
    write_timed(out, label, subject, *figures, rounds_of(subject, temperature)->cores, options);
  }
  if (rounds_of(subject, Temperature::hot) != nullptr || rounds_of(subject, Temperature::cold) != nullptr)
    return;
  const std::string verdict(name(subject.verdict));
  const Colour colour = subject.verdict == Verdict::fail ? Colour::red : Colour::yellow;
  const std::string why = subject.why.empty()
                              ? ""
                              : ": " + conformance::shortened(conformance::printable(subject.why), why_width);
  out << fmt::format("    {:<22} {}{}\n", shown, coloured(verdict, colour, options), why);
}

void write_regime(std::ostream& out, const BenchRun& run, const std::string& regime,
                  const TableOptions& options) {
  const std::string against = run.baseline.empty() ? "" : "against " + short_name(run.baseline);
  out << fmt::format("\n{:<26} {:>8} {:<11} {:<12} {:<11} {:<4}  {}\n", conformance::printable(regime),
                     "time", "GB/s | best", "spread", "limit| best", "copy", against);
  for (const TimedCase& timed : run.cases) {
    if (timed.regime != regime) continue;
    write_case_heading(out, timed);
    for (const Subject& subject : timed.subjects)
      write_subject(out, run, timed, subject, options);
  }
}

}  // namespace

void write_table(std::ostream& out, const BenchRun& run, const TableOptions& options) {
  out << fmt::format("{}   {}\n", conformance::printable(run.suite), run.date);
  write_wrapped(out, machine_text(run.machine), text_width);
  write_wrapped(out, build_text(run.machine), text_width);
  for (const std::string& regime : regimes_of(run))
    write_regime(out, run, regime, options);
  out << '\n';
  for (const std::string& rule : rules_text(run))
    write_wrapped(out, rule, text_width);
}

}  // namespace certile::bench
