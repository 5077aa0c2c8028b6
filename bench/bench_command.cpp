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

#include "bench/run/backends.hpp"
#include "bench/run/progress.hpp"
#include "bench/run/suite.hpp"
#include "bench/timing/limits.hpp"
#include "bench/timing/measure.hpp"
#include "conformance/facts/environment.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

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

class Bench {
 public:
  Bench(const BenchOptions& options, std::ostream& error)
      : options_(options),
        progress_(error, conformance::is_terminal(STDERR_FILENO),
                  conformance::columns_of(STDERR_FILENO, 80)) {}

  Result<BenchOutcome> run() {
    if (auto collected = collect_cases(); !collected) return collected.error();
    if (auto opened = open_backends(); !opened) return opened.error();
    std::set<int> threads(options_.limit_threads.begin(), options_.limit_threads.end());
    if (threads.empty()) threads = {1, conformance::processors_allowed()};
    for (const int count : threads)
      teams_.push_back(std::make_unique<Team>(count));
    run_.machine = this_machine();
    run_.date = now_in_utc();
    run_.command = options_.command;
    run_.rounds = options_.rounds;
    run_.seed = options_.seed;
    backends_->judge(cases_);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t done = 0; done < cases_.size() && !conformance::interrupted(); ++done) {
      const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const double others = static_cast<double>(cases_.size() - done) / static_cast<double>(done);
      const std::string left =
          done > 0 ? fmt::format(", about {:.0f} s left", std::ceil(elapsed * others)) : "";
      progress_.show(fmt::format("{} of {}{}: {}", done + 1, cases_.size(), left, cases_[done].literal));
      time_case(run_.cases.emplace_back(std::move(cases_[done])));
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
    Suite typed{"command line", {}};
    for (const std::string& literal : options_.literals) {
      auto timed = case_to_time(literal);
      if (!timed)
        return Error{timed.error().code, timed.error().what + ": " + conformance::printable(literal)};
      typed.cases.push_back(*std::move(timed));
    }
    if (!typed.cases.empty()) add(std::move(typed), names);
    run_.suite = conformance::joined(names, ", ");
    return Done{};
  }

  // Adds each case once, however often it was requested.
  void add(Suite suite, std::vector<std::string>& names) {
    names.push_back(suite.name);
    for (TimedCase& each : suite.cases)
      if (known_.insert(each.literal).second) cases_.push_back(std::move(each));
  }

  Result<Done> open_backends() {
    std::uint64_t largest = 0;
    for (const TimedCase& each : cases_)
      largest = std::max(largest, each.input_bytes + each.output_bytes);
    backends_.emplace(Backends::Options{options_.program, options_.backends, options_.baseline,
                                        patience(options_.budget), largest},
                      progress_);
    auto opened = backends_->open();
    run_.baseline = backends_->baseline();
    return opened;
  }

  void time_case(TimedCase& timed) {
    timed.subjects = backends_->judged(timed);
    auto memory = CaseMemory::make(timed.question);
    if (!memory) {
      for (Subject& subject : timed.subjects) {
        subject.verdict = Verdict::not_run;
        subject.why = memory.error().what;
      }
      return;
    }
    std::vector<std::unique_ptr<TimedCall>> timed_calls;
    std::vector<Entry> entries;
    const auto enter = [&](std::unique_ptr<TimedCall> timed_call, Timings& timings) {
      const auto slot = [&](Temperature temperature, std::optional<Rounds>& rounds) {
        return wants(temperature, timed.output_bytes) && timed_call->can(temperature) ? &rounds : nullptr;
      };
      entries.push_back(
          {timed_call.get(), slot(Temperature::hot, timings.hot), slot(Temperature::cold, timings.cold)});
      timed_calls.push_back(std::move(timed_call));
    };
    std::vector<Subject*> entered;
    for (std::size_t index = 0; index < timed.subjects.size(); ++index) {
      Subject& subject = timed.subjects[index];
      if (subject.verdict != Verdict::pass) continue;
      enter(backends_->timed_call(index, timed.question, **memory), subject);
      entered.push_back(&subject);
    }
    std::vector<std::unique_ptr<TimedCall>> limit_calls;
    for (const auto& team : teams_)
      for (const Probe probe : available_probes(timed.output_bytes, team->size())) {
        timed.limits.emplace_back(probe, team->size());
        limit_calls.push_back(timed_limit(probe, *team, timed.question.definition, **memory));
      }
    for (std::size_t index = 0; index < limit_calls.size(); ++index)
      enter(std::move(limit_calls[index]), timed.limits[index]);

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

  int exit_code() const {
    if (conformance::interrupted()) return exit_interrupted;
    int code = backends_->exit_code();
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
  std::vector<std::unique_ptr<Team>> teams_;
  std::vector<TimedCase> cases_;  // not timed yet
  std::set<std::string> known_;   // their literals
  std::optional<Backends> backends_;
  BenchRun run_;
};

}  // namespace

Result<BenchOutcome> run_benchmarks(const BenchOptions& options, std::ostream& error) {
  return Bench(options, error).run();
}

}  // namespace certile::bench
