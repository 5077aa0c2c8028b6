#include "bench/report/compare.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "bench/run/bench_names.hpp"
#include "bench/run/shares.hpp"
#include "conformance/text/printable.hpp"

namespace certile {
namespace {

// One subject on one case at one temperature, as a run has it.
struct Timed {
  const Subject* subject = nullptr;
  Measured figures;
  std::vector<double> times;
  Temperature temperature = Temperature::hot;
  std::string literal;
};

std::string key_of(const TimedCase& timed, const Subject& subject, Temperature temperature) {
  const std::string end = temperature == Temperature::cold ? "/cold" : "";
  return printable_name(subject.name) + "/" + timed.literal + end;
}

// In the order of the run.  Of a case that is there twice the first counts.
std::vector<std::pair<std::string, Timed>> all_timed(const BenchRun& run) {
  std::vector<std::pair<std::string, Timed>> all;
  std::map<std::string, bool> seen;
  for (const TimedCase& timed : run.cases) {
    for (const Subject& subject : timed.subjects) {
      for (const Temperature temperature : {Temperature::hot, Temperature::cold}) {
        auto figures = measured(run, timed, subject, temperature);
        const std::string key = key_of(timed, subject, temperature);
        if (!figures || !seen.emplace(key, true).second) continue;
        all.push_back({key,
                       {&subject, std::move(*figures), rounds_of(subject, temperature)->nanoseconds,
                        temperature, timed.literal}});
      }
    }
  }
  return all;
}

// Half of what the middle half of the values spans, as a part of their median: how far one run's median may
// be from another's without anything having changed but the neighbours.
double relative_spread(const std::vector<double>& values) {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values);
}

// A share is better when it is greater; its inverse behaves as a time does.
std::vector<double> inverse(std::vector<double> values) {
  for (double& value : values)
    value = 1 / value;
  return values;
}

Change change_between(const Timed& before, const Timed& after, const CompareOptions& options) {
  Change change;
  change.subject = after.subject->name;
  change.literal = after.literal;
  change.temperature = after.temperature;
  change.has_share = before.figures.share && after.figures.share;
  const auto deciding = [&](const Timed& timed) {
    return options.by_time || !change.has_share ? timed.times : inverse(timed.figures.share->rounds);
  };
  const std::vector<double> old_values = deciding(before), new_values = deciding(after);
  change.bound = std::max({options.noise, relative_spread(old_values), relative_spread(new_values)});
  change.word = compare_unpaired(new_values, old_values, change.bound).word;
  change.time = compare_unpaired(after.times, before.times, change.bound);
  change.share = change.time;
  if (change.has_share) {
    change.share = compare_unpaired(inverse(after.figures.share->rounds),
                                    inverse(before.figures.share->rounds), change.bound);
  }
  return change;
}

bool fails_in(const BenchRun& run, const Timed& before) {
  for (const TimedCase& timed : run.cases) {
    const Subject* subject =
        timed.literal == before.literal ? find_subject(timed, before.subject->name) : nullptr;
    if (subject != nullptr && subject->verdict == Verdict::fail) return true;
  }
  return false;
}

void add_difference(std::vector<std::string>& differences, const std::string& what, const std::string& before,
                    const std::string& after) {
  if (before == after) return;
  const auto shown = [](const std::string& text) { return text.empty() ? "not known" : printable(text); };
  differences.push_back(what + " differ: " + shown(before) + " before, " + shown(after) + " now");
}

std::vector<std::string> differences_of(const BenchRun& old_run, const BenchRun& new_run) {
  std::vector<std::string> differences;
  const Machine &before = old_run.machine, &after = new_run.machine;
  const auto caches = [](const Machine& machine) {
    return std::to_string(machine.level1_bytes) + ", " + std::to_string(machine.level2_bytes) + ", " +
           std::to_string(machine.level3_bytes) + " bytes";
  };
  add_difference(differences, "the processors", before.processor, after.processor);
  add_difference(differences, "the numbers of cores", std::to_string(before.cores),
                 std::to_string(after.cores));
  add_difference(differences, "the caches", caches(before), caches(after));
  add_difference(differences, "the governors", before.governor, after.governor);
  add_difference(differences, "the systems", before.system, after.system);
  add_difference(differences, "the pages", before.pages, after.pages);
  add_difference(differences, "the compilers", before.compiler, after.compiler);
  add_difference(differences, "the compilers' flags", before.flags, after.flags);
  return differences;
}

}  // namespace

bool RunComparison::is_regression() const noexcept {
  if (!now_failing.empty()) return true;
  return std::any_of(changes.begin(), changes.end(),
                     [](const Change& change) { return change.word == Word::slower; });
}

RunComparison compare_runs(const BenchRun& old_run, const BenchRun& new_run, const CompareOptions& options) {
  RunComparison comparison;
  const auto before = all_timed(old_run), after = all_timed(new_run);
  const auto found_in = [](const auto& all, const std::string& key) {
    return std::find_if(all.begin(), all.end(), [&key](const auto& entry) { return entry.first == key; });
  };
  for (const auto& [key, timed] : after) {
    const auto match = found_in(before, key);
    if (match == before.end()) {
      comparison.only_new.push_back(key);
    } else {
      comparison.changes.push_back(change_between(match->second, timed, options));
    }
  }
  for (const auto& [key, timed] : before) {
    if (found_in(after, key) != after.end()) continue;
    (fails_in(new_run, timed) ? comparison.now_failing : comparison.only_old).push_back(key);
  }
  comparison.differences = differences_of(old_run, new_run);
  return comparison;
}

}  // namespace certile
