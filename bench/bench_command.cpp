#include "bench/bench_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "bench/run/entrants.hpp"
#include "bench/run/forecast.hpp"
#include "bench/run/judging.hpp"
#include "bench/run/machine.hpp"
#include "bench/run/progress.hpp"
#include "bench/run/suite.hpp"
#include "bench/timing/limits.hpp"
#include "bench/timing/measure.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"

namespace certile::bench {
namespace {

// The time for one call on a large case, after which the backend is left out of the case: this many budgets,
// but no less than the rig waits.
constexpr double budgets_of_patience = 10;
constexpr double least_patience = 10;

std::chrono::milliseconds patience(double budget) {
  return std::chrono::milliseconds(
      std::llround(1000 * std::max(least_patience, budgets_of_patience * budget)));
}

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

std::string now_in_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

// Fills in the facts that are known before the timing.
TimedCase facts_of(const SuiteCase& each) {
  TimedCase timed;
  timed.literal = to_string(each.question);
  timed.regime = each.regime;
  timed.words = each.words;
  const auto promoted = oracle::settled_tiling(each.question);
  const auto size = [&](const Shape& shape) {
    return static_cast<std::uint64_t>(*byte_size(each.question.data.type(), *element_count(shape)));
  };
  timed.input_bytes = size(promoted->data);
  timed.output_bytes = size(promoted->output);
  timed.innermost_bytes = innermost_bytes(each.question.data.type(), *promoted);
  return timed;
}

class Bench {
 public:
  Bench(const BenchOptions& options, std::ostream& error)
      : options_(options),
        progress_(error, conformance::is_terminal(STDERR_FILENO),
                  conformance::columns_of(STDERR_FILENO, 80)) {}

  Result<BenchOutcome> run() {
    if (auto collected = collect_cases(); !collected) return collected.error();
    if (auto opened = open_backends(); !opened) return opened.error();
    run_.machine = this_machine();
    run_.date = now_in_utc();
    run_.command = options_.command;
    run_.rounds = options_.rounds;
    run_.seed = options_.seed;
    open_teams();
    make_forecast();
    judge_small_cases();
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t done = 0; done < cases_.size() && !conformance::interrupted(); ++done) {
      const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      progress_.show(fmt::format("{} of {}, {} left: {}", done + 1, cases_.size(),
                                 duration_text(seconds_left(expected_, done, elapsed)),
                                 to_string(cases_[done].question)));
      time_case(cases_[done]);
    }
    progress_.clear();
    const int code = exit_code();
    return BenchOutcome{std::move(run_), code};
  }

 private:
  Result<Done> collect_cases() {
    std::vector<std::string> suites = options_.suites;
    if (suites.empty() && options_.literals.empty() && options_.random_cases == 0) suites = {"workloads"};
    std::vector<std::string> names;
    for (const std::string& name : suites) {
      auto suite = load_suite(name);
      if (!suite) return suite.error();
      add(*std::move(suite), names);
    }
    if (options_.random_cases > 0) add(random_suite(options_.random_cases, options_.seed), names);
    for (const std::string& literal : options_.literals) {
      auto timed = case_to_time(literal);
      if (!timed)
        return Error{timed.error().code, timed.error().what + ": " + conformance::printable(literal)};
      add(*std::move(timed));
    }
    if (!options_.literals.empty()) names.emplace_back("command line");
    run_.suite = conformance::joined(names, ", ");
    return Done{};
  }

  void add(Suite suite, std::vector<std::string>& names) {
    names.push_back(suite.name);
    for (SuiteCase& each : suite.cases)
      add(std::move(each));
  }
  // Adds a case once, however often it was requested.
  void add(SuiteCase each) {
    if (known_.insert(to_string(each.question)).second) cases_.push_back(std::move(each));
  }

  Result<Done> open_backends() {
    std::uint64_t largest = 0;
    for (const SuiteCase& each : cases_) {
      const TimedCase facts = facts_of(each);
      largest = std::max(largest, facts.input_bytes + facts.output_bytes);
    }
    auto opened =
        Entrants::open({options_.program, options_.backends, options_.baseline, patience(options_.budget),
                        largest, progress_, [] { return conformance::interrupted().load(); }});
    if (!opened) return opened.error();
    entrants_.emplace(*std::move(opened));
    run_.baseline = entrants_->baseline();
    return Done{};
  }

  void open_teams() {
    std::vector<int> threads = options_.limit_threads;
    if (threads.empty()) threads = {1, usable_processors()};
    std::sort(threads.begin(), threads.end());
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    for (const int count : threads)
      teams_.push_back(std::make_unique<Team>(count));
  }

  // Says what is going to be timed, and for about how long.
  void make_forecast() {
    const int backends = entrants_->count();
    double total = 0;
    for (const SuiteCase& each : cases_) {
      const std::uint64_t size = facts_of(each).output_bytes;
      int limits = 0;
      for (const auto& team : teams_)
        limits += static_cast<int>(available_probes(size, team->size()).size());
      const int temperatures =
          (wants(Temperature::hot, size) ? 1 : 0) + (wants(Temperature::cold, size) ? 1 : 0);
      expected_.push_back(
          expected_seconds(size, (backends + limits) * temperatures, options_.rounds, options_.budget));
      total += expected_.back();
    }
    progress_.plan(fmt::format("{}, {}, {}: about {}",
                               conformance::counted(static_cast<std::int64_t>(cases_.size()), "case"),
                               conformance::counted(backends, "backend"),
                               conformance::counted(options_.rounds, "round"), duration_text(total)));
  }

  void judge_small_cases() {
    std::vector<Case> cases;
    for (const SuiteCase& each : cases_)
      if (facts_of(each).output_bytes <= largest_in_rig) cases.push_back(each.question);
    entrants_->judge_in_rig(cases);
  }

  void time_case(const SuiteCase& each) {
    TimedCase& timed = run_.cases.emplace_back(facts_of(each));
    timed.subjects = entrants_->judged(each.question, timed.output_bytes);
    auto memory = CaseMemory::make(each.question);
    if (!memory) {
      for (Subject& subject : timed.subjects) {
        subject.verdict = Verdict::not_run;
        subject.why = memory.error().what;
      }
      return;
    }
    std::vector<std::unique_ptr<TimedCall>> timed_calls;
    std::vector<Entry> entries;
    const auto enter = [&](std::unique_ptr<TimedCall> timed_call, auto& facts) {
      const auto slot = [&](Temperature temperature, std::optional<Rounds>& rounds) {
        return wants(temperature, timed.output_bytes) && timed_call->can(temperature) ? &rounds : nullptr;
      };
      entries.push_back(
          {timed_call.get(), slot(Temperature::hot, facts.hot), slot(Temperature::cold, facts.cold)});
      timed_calls.push_back(std::move(timed_call));
    };
    std::vector<Subject*> entered;
    for (std::size_t index = 0; index < timed.subjects.size(); ++index) {
      Subject& subject = timed.subjects[index];
      if (subject.verdict != Verdict::pass) continue;
      enter(entrants_->enter(index, each.question, **memory), subject);
      entered.push_back(&subject);
    }
    for (const auto& team : teams_)
      for (const Probe probe : available_probes(timed.output_bytes, team->size()))
        timed.limits.push_back({probe, team->size(), {}, {}});
    for (Limit& limit : timed.limits)
      enter(limit.probe == Probe::call
                ? call_probe(each.question.definition, **memory)
                : std::make_unique<LimitCall>(limit.probe, team_of(limit.threads), **memory),
            limit);

    MeasureOptions options;
    options.rounds = options_.rounds;
    options.seed = options_.seed;
    options.entry_seconds = options_.budget;
    options.stop = [] { return conformance::interrupted().load(); };
    measure(entries, options);
    for (std::size_t index = 0; index < entered.size(); ++index)
      note_failure(*entered[index], entries[index]);
  }

  // Turns a pass into a failure, because the backend failed while it was timed, and was not interrupted.
  static void note_failure(Subject& subject, const Entry& entry) {
    if (entry.failure.empty() || conformance::interrupted()) return;
    subject.verdict = Verdict::fail;
    subject.why = "while it was timed: " + conformance::printable(entry.failure);
  }

  bool wants(Temperature temperature, std::uint64_t output_bytes) const {
    const bool both = output_bytes >= mebibyte && output_bytes <= 32 * mebibyte;
    if (options_.hot_only || options_.cold_only)
      return temperature == Temperature::hot ? options_.hot_only : options_.cold_only;
    return temperature == Temperature::hot || both;
  }

  Team& team_of(int threads) {
    return **std::find_if(teams_.begin(), teams_.end(),
                          [&](const auto& team) { return team->size() == threads; });
  }

  int exit_code() const {
    if (conformance::interrupted()) return exit_interrupted;
    int code = entrants_->exit_code();
    bool timed = false;
    for (const TimedCase& each : run_.cases)
      for (const Subject& subject : each.subjects) {
        timed = timed || subject.hot || subject.cold;
        if (subject.verdict == Verdict::fail) code = conformance::graver(code, exit_not_conformant);
      }
    return timed ? code : conformance::graver(code, exit_nothing_run);
  }

  const BenchOptions& options_;
  Progress progress_;
  std::vector<SuiteCase> cases_;
  std::set<std::string> known_;  // their literals
  std::optional<Entrants> entrants_;
  std::vector<std::unique_ptr<Team>> teams_;
  std::vector<double> expected_;  // seconds for each case
  BenchRun run_;
};

}  // namespace

Result<BenchOutcome> run_benchmarks(const BenchOptions& options, std::ostream& error) {
  return Bench(options, error).run();
}

}  // namespace certile::bench
