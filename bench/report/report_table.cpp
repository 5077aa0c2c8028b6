#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/report/report.hpp"
#include "bench/run/statistics.hpp"
#include "conformance/text/printable.hpp"

namespace certile::bench {
std::string share_text(double share) {
  return fmt::format("{:.2f}", share);
}

std::string ratio_text(double ratio) {
  if (!std::isfinite(ratio)) return "-";
  return fmt::format("{:.{}f}", ratio, ratio >= 99.95 ? 0 : ratio >= 9.995 ? 1 : 2);
}

std::string short_name(const std::string& name) {
  constexpr std::size_t longest = 22;
  std::string shown = conformance::shortened(conformance::printable(name), 80);
  if (shown.size() <= longest) return shown;
  std::size_t begin = shown.size() - (longest - 1);
  while (begin < shown.size() && (static_cast<unsigned char>(shown[begin]) & 0xc0) == 0x80)
    ++begin;  // begins with a whole character
  return "…" + shown.substr(begin);
}

void write_wrapped(std::ostream& out, std::string text, std::size_t columns) {
  const std::size_t indent = text.find_first_not_of(' ');
  while (text.size() > columns) {
    const std::size_t space = text.rfind(' ', columns);
    if (space == std::string::npos || space <= indent + 2) break;
    out << text.substr(0, text.find_last_not_of(' ', space) + 1) << '\n';
    text = std::string(indent + 2, ' ') + text.substr(space + 1);
  }
  out << text << '\n';
}

std::vector<std::string> rules_text(const BenchRun& run) {
  return {
      fmt::format("Medians of {} rounds, next to the best; each round times everything once, in random order "
                  "(seed {}).",
                  run.rounds, run.seed),
      ("Timed only after it passed. Hot: an untimed call first; cold: caches flushed before each call. "
       "Data is not zero, memory is touched before."),
      ("Limit: the fastest of fills by ordinary, non-temporal and string stores and memset over the same "
       "bytes in the same rounds, with one thread, or, for what kept more than 1.25 cores busy, with as "
       "many. "
       "Up to 4 KiB: a call by the C interface that is ruled and planned, and fills the output."),
      ("Of limit: bytes written, and read where the input exceeds the level 2 cache, against the limit's "
       "bytes written; copy: against the fastest copy of the same footprint."),
      fmt::format(
          "Faster, slower: the {:.0f} % interval of the ratio within rounds (sign test) excludes 1, and "
          "the ratio differs from it by {:.0f} % or more. Of twenty words one may be wrong.",
          confidence * 100, minimum_effect * 100),
  };
}

namespace {

constexpr std::size_t literal_width = 80;
constexpr std::size_t why_width = 90;
constexpr std::size_t text_width = 120;

std::string pair_text(const std::string& median, const std::string& best) {
  return fmt::format("{:>4} | {:<4}", median, best);
}

std::string time_text(double nanoseconds) {
  if (nanoseconds < 1e3) return ratio_text(nanoseconds) + " ns";
  if (nanoseconds < 1e6) return ratio_text(nanoseconds / 1e3) + " us";
  if (nanoseconds < 1e9) return ratio_text(nanoseconds / 1e6) + " ms";
  return ratio_text(nanoseconds / 1e9) + " s";
}

// Returns GB/s.
std::string rate_text(const TimedCase& timed, double nanoseconds) {
  return ratio_text(static_cast<double>(timed.output_bytes) / nanoseconds);
}

std::string size_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes < 1024) return fmt::format("{} B", bytes);
  if (bytes < 1048576 / 8) return ratio_text(size / 1024) + " KiB";
  return ratio_text(size / 1048576) + " MiB";
}

std::string interval_text(const Comparison& comparison) {
  if (comparison.word == Word::too_few_rounds) return "";
  return ratio_text(comparison.low) + " to " + ratio_text(comparison.high);
}

std::string remarks(const Subject& subject, double cores) {
  std::vector<std::string> words;
  if (cores >= 1.25) words.push_back(fmt::format("{:.1f} cores", cores));
  if (subject.allocates) words.push_back("allocates");
  if (!subject.in_process) words.push_back("own process");
  if (subject.self_timed) words.push_back("times itself");
  return conformance::joined(words, ", ");
}

std::string cache_text(std::uint64_t bytes) {
  if (bytes == 0) return "?";
  return bytes < 1048576 ? fmt::format("{} KiB", bytes / 1024) : fmt::format("{} MiB", bytes / 1048576);
}

// Writes those of the phrases that are known.
void write_phrases(std::ostream& out, std::vector<std::string> phrases) {
  std::erase(phrases, "");
  write_wrapped(out, conformance::printable(conformance::joined(phrases, "; ")), text_width);
}

std::string labelled(const char* label, const std::string& text) {
  return text.empty() ? "" : label + text;
}

void write_machine(std::ostream& out, const Machine& machine) {
  const bool has_caches = machine.level1_bytes + machine.level2_bytes + machine.level3_bytes > 0;
  write_phrases(out,
                {machine.processor, machine.cores > 0 ? conformance::counted(machine.cores, "core") : "",
                 has_caches ? fmt::format("caches {}, {}, {}", cache_text(machine.level1_bytes),
                                          cache_text(machine.level2_bytes), cache_text(machine.level3_bytes))
                            : "",
                 labelled("governor ", machine.governor), machine.system, machine.pages});
  write_phrases(
      out, {machine.compiler, machine.flags, labelled("commit ", machine.commit), machine.benchmark_library});
}

enum class Colour { green = 32, red = 31, yellow = 33 };

std::string coloured(const std::string& text, Colour colour, const TableOptions& options) {
  if (!options.colour) return text;
  return fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(colour), text);
}

// Returns "memset, 2 threads 90.1 | 92.0".
std::string limit_figures(const TimedCase& timed, const Limit& limit, Temperature temperature) {
  const std::string threads = limit.threads == 1 ? "" : fmt::format(", {} threads", limit.threads);
  const Figures figures = figures_of(rounds_of(limit, temperature)->nanoseconds);
  return fmt::format("{}{} {} | {}", name(limit.probe), threads, rate_text(timed, figures.median),
                     rate_text(timed, figures.best));
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

void write_timed(std::ostream& out, const TimedCase& timed, const std::string& label, const Subject& subject,
                 const Measured& figures, double cores, const TableOptions& options) {
  const Figures& times = figures.nanoseconds;
  const std::string spread = fmt::format("-{:.0f} +{:.0f} %", 100 * (1 - times.low / times.median),
                                         100 * (times.high / times.median - 1));
  std::string line = fmt::format("    {:<22} {:>8} {} {:<12} {} {}  {}", label, time_text(times.median),
                                 pair_text(rate_text(timed, times.median), rate_text(timed, times.best)),
                                 spread, shares_text(figures.share),
                                 figures.copy_share ? share_text(figures.copy_share->median) : "    ",
                                 baseline_text(figures, options));
  const std::string remark = remarks(subject, cores);
  if (!remark.empty()) line += " " + remark;
  out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
}

void write_subject(std::ostream& out, const BenchRun& run, const TimedCase& timed, const Subject& subject,
                   const TableOptions& options) {
  const std::string shown = short_name(subject.name);
  bool was_timed = false;
  for (const Temperature temperature : temperatures) {
    const auto figures = measured(run, timed, subject, temperature);
    if (!figures) continue;
    const std::string label = temperature == Temperature::cold ? shown + ", cold" : shown;
    write_timed(out, timed, label, subject, *figures, rounds_of(subject, temperature)->cores, options);
    was_timed = true;
  }
  if (was_timed) return;
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
  write_machine(out, run.machine);
  for (const std::string& regime : regimes_of(run))
    write_regime(out, run, regime, options);
  out << '\n';
  for (const std::string& rule : rules_text(run))
    write_wrapped(out, rule, text_width);
}

}  // namespace certile::bench
