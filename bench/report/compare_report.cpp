#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "bench/report/compare.hpp"
#include "bench/report/figure_text.hpp"
#include "bench/report/report_json.hpp"
#include "bench/run/bench_names.hpp"
#include "bench/run/shares.hpp"
#include "conformance/text/printable.hpp"

// What is said of a comparison, and the two commands that end with it.
namespace certile {
namespace {

constexpr std::string_view baseline_rule = "baseline";

std::string comparison_text(const Comparison& comparison) {
  return fmt::format("{:>4} {:<13}", ratio_text(comparison.ratio), interval_text(comparison));
}

void write_change(std::ostream& out, const Change& change) {
  const std::string name =
      printable_name(change.subject) + (change.temperature == Temperature::cold ? ", cold" : "");
  out << fmt::format("  {:<24} {:>18} {:>18}  {:>4.0f} %  {:<14} {}\n", name,
                     change.has_share ? comparison_text(change.share) : "", comparison_text(change.time),
                     100 * change.bound, certile::name(change.word), shortened(change.literal, 80));
}

void write_only(std::ostream& out, const std::vector<std::string>& names, std::string_view where) {
  for (const std::string& name : names)
    out << fmt::format("only in {}: {}\n", where, name);
}

int counted_words(const RunComparison& comparison, Word word) {
  int count = 0;
  for (const Change& change : comparison.changes)
    count += change.word == word ? 1 : 0;
  return count;
}

// A rule holds or is broken; 2 where it says nothing about this run.
int gate_against_baseline(const BenchRun& run, std::string_view only, const CompareOptions& options,
                          std::ostream& out, std::ostream& error) {
  int compared = 0, broken = 0;
  for (const TimedCase& timed : run.cases) {
    for (const Subject& subject : timed.subjects) {
      if (subject.name == run.baseline || (!only.empty() && subject.name != only)) continue;
      const auto figures = measured(run, timed, subject, Temperature::hot);
      const Subject* baseline = find_subject(timed, run.baseline);
      const Rounds* others = baseline == nullptr ? nullptr : rounds_of(*baseline, Temperature::hot);
      if (!figures || others == nullptr) continue;
      ++compared;
      const Comparison ratio = compare_paired(rounds_of(subject, Temperature::hot)->nanoseconds,
                                              others->nanoseconds, options.noise);
      if (ratio.word != Word::slower) continue;
      ++broken;
      out << fmt::format("slower than {}: {} on {}: {} of its speed ({})\n", printable_name(run.baseline),
                         printable_name(subject.name), timed.literal, ratio_text(ratio.ratio),
                         interval_text(ratio));
    }
  }
  if (compared == 0) {
    error << "certile-bench: the gate compares with the baseline, but nothing was timed beside it\n";
    return 2;
  }
  out << fmt::format("gate: {} compared with {}, {} slower by more than {:.0f} %\n",
                     counted(compared, "case"), printable_name(run.baseline), broken, 100 * options.noise);
  return broken == 0 ? 0 : 1;
}

int judge(const BenchRun& old_run, const BenchRun& new_run, const CompareOptions& options, std::ostream& out,
          std::ostream& error) {
  const RunComparison comparison = compare_runs(old_run, new_run, options);
  write_comparison(out, comparison, options);
  if (comparison.changes.empty()) {
    error << "certile-bench: the two runs have no case of one backend in common\n";
    return 2;
  }
  return comparison.is_regression() ? 1 : 0;
}

// What was asked and not timed because it failed.
int write_failures(std::ostream& out, const BenchRun& run) {
  int failures = 0;
  for (const TimedCase& timed : run.cases) {
    for (const Subject& subject : timed.subjects) {
      if (subject.verdict != Verdict::fail) continue;
      ++failures;
      out << fmt::format("fails: {} on {}: {}\n", printable_name(subject.name), timed.literal,
                         shortened(printable(subject.why), 200));
    }
  }
  return failures;
}

}  // namespace

void write_comparison(std::ostream& out, const RunComparison& comparison, const CompareOptions& options) {
  for (const std::string& difference : comparison.differences)
    out << "warning: " << difference << '\n';
  if (!comparison.changes.empty()) {
    out << fmt::format("  {:<24} {:>18} {:>18}  {:>6}  {:<14} {}\n", "backend", "share, new to old",
                       "speed, new to old", "bound", "", "case");
  }
  for (const Change& change : comparison.changes)
    write_change(out, change);
  for (const std::string& name : comparison.now_failing)
    out << fmt::format("fails now: {}\n", name);
  write_only(out, comparison.only_old, "the old run");
  write_only(out, comparison.only_new, "the new run");
  out << fmt::format("{} compared: {} faster, {} slower, {} no difference, {} of too few rounds\n",
                     counted(static_cast<std::int64_t>(comparison.changes.size()), "figure"),
                     counted_words(comparison, Word::faster), counted_words(comparison, Word::slower),
                     counted_words(comparison, Word::no_difference),
                     counted_words(comparison, Word::too_few_rounds));
  out << fmt::format(
      "What decides is {}. A change counts when its {:.0f} % interval (Mann and Whitney) excludes 1\n"
      "and it exceeds the bound: {:.0f} %, or, where that is more, half of what the middle half of the "
      "rounds spans "
      "in either run.\n",
      options.by_time ? "the time per call"
                      : "the share of the limit that each run measured for itself (time, where one has none)",
      100 * confidence, 100 * options.noise);
}

int compare_command(const std::string& old_path, const std::string& new_path, const CompareOptions& options,
                    std::ostream& out, std::ostream& error) {
  const auto old_run = read_json(old_path), new_run = read_json(new_path);
  for (const auto* run : {&old_run, &new_run}) {
    if (!*run) error << "certile-bench: " << run->error().what << '\n';
  }
  if (!old_run || !new_run) return 2;
  return judge(*old_run, *new_run, options, out, error);
}

int gate(const BenchRun& run, const std::string& rule, const CompareOptions& options, std::ostream& out,
         std::ostream& error) {
  int code = 0;
  if (rule == baseline_rule || rule.starts_with(std::string(baseline_rule) + ":")) {
    const std::string_view only =
        std::string_view(rule).substr(std::min(rule.size(), baseline_rule.size() + 1));
    code = gate_against_baseline(run, only, options, out, error);
  } else {
    const auto old_run = read_json(rule);
    if (!old_run) {
      error << "certile-bench: " << old_run.error().what << '\n';
      return 2;
    }
    code = judge(*old_run, run, options, out, error);
  }
  return write_failures(out, run) > 0 && code == 0 ? 1 : code;
}

}  // namespace certile
