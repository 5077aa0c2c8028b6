#include "bench/bench_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <utility>

#include "backends/registry.hpp"
#include "bench/entrant.hpp"
#include "bench/judging.hpp"
#include "bench/machine.hpp"
#include "bench/random_suite.hpp"
#include "bench/regime.hpp"
#include "bench/suite.hpp"
#include "bench/timing/limits.hpp"
#include "bench/timing/measure.hpp"
#include "conformance/commands/backend_start.hpp"
#include "conformance/commands/exit_code.hpp"
#include "conformance/commands/interrupt.hpp"
#include "conformance/printable.hpp"
#include "reference/call.hpp"
#include "reference/promote.hpp"

namespace certile {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

std::string now_in_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

// A backend of the run: opened, or why not; what the judge says of it.
struct Competitor {
  Subject facts;
  std::unique_ptr<Entrant> entrant;  // null: facts.why says why
  std::map<std::string, Opinion> opinions;
};

class Bench {
 public:
  Bench(const BenchOptions& options, std::ostream& error) : options_(options), error_(error) {}

  Result<BenchOutcome> run() {
    if (auto collected = collect_cases(); !collected) return collected.error();
    if (auto opened = open_backends(); !opened) return opened.error();
    run_.machine = this_machine();
    run_.date = now_in_utc();
    run_.command = options_.command;
    run_.rounds = options_.rounds;
    run_.seed = options_.seed;
    open_teams();
    judge_small_cases();
    std::size_t number = 0;
    for (const SuiteCase& each : cases_) {
      if (interrupted()) break;
      say_progress(++number, each);
      if (auto timed = time_case(each); !timed) return timed.error();
    }
    clear_progress();
    return BenchOutcome{std::move(run_), exit_code()};
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
      if (!timed) return Error{timed.error().code, timed.error().what + ": " + printable(literal)};
      cases_.push_back(*std::move(timed));
    }
    if (!options_.literals.empty()) names.emplace_back("command line");
    run_.suite = joined(names, ", ");
    return Done{};
  }

  void add(Suite suite, std::vector<std::string>& names) {
    names.push_back(suite.name);
    std::move(suite.cases.begin(), suite.cases.end(), std::back_inserter(cases_));
  }

  Result<Done> open_backends() {
    std::vector<std::string> spellings = options_.backends;
    if (spellings.empty())
      for (const BuiltIn& each : built_in_backends())
        if (each.missing.empty()) spellings.emplace_back(each.name);
    if (options_.baseline) {
      run_.baseline = *options_.baseline;
      if (std::find(spellings.begin(), spellings.end(), run_.baseline) == spellings.end())
        spellings.push_back(run_.baseline);
    }
    for (const std::string& spelling : spellings) {
      // An unknown name is a slip of the keyboard; what cannot be opened costs its own results.
      if (const auto failure = check_spelling(spelling); failure && failure->exit_code == exit_bad_command)
        return Error{Error::Code::unsupported, failure->sentence};
      Competitor competitor;
      auto entrant = Entrant::open({.program = options_.program, .spelling = spelling});
      if (entrant) {
        competitor.entrant = *std::move(entrant);
        competitor.facts = competitor.entrant->facts();
      } else {
        competitor.facts.name = spelling;
        competitor.facts.in_process = false;
        give_up(competitor, entrant.error());
      }
      competitors_.push_back(std::move(competitor));
    }
    return Done{};
  }

  void give_up(Competitor& competitor, const Error& why) {
    competitor.entrant.reset();
    competitor.facts.why = printable(why.what);
    exit_code_ = graver(exit_code_, exit_not_loaded);
    error_ << "certile-bench: " << printable(competitor.facts.name)
           << " is left out: " << competitor.facts.why << std::endl;
  }

  void open_teams() {
    std::vector<int> threads = options_.limit_threads;
    if (threads.empty()) threads = {1, usable_processors()};
    std::sort(threads.begin(), threads.end());
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    for (const int count : threads)
      teams_.push_back(std::make_unique<Team>(count));
  }

  void judge_small_cases() {
    std::vector<std::string> literals;
    for (const SuiteCase& each : cases_)
      if (facts_of(each).output_bytes <= largest_in_rig) literals.push_back(to_string(each.question));
    for (Competitor& competitor : competitors_) {
      if (!competitor.entrant || literals.empty() || interrupted()) continue;
      say("checking " + printable(competitor.facts.name));
      auto opinions = judge_in_rig(options_.program, competitor.facts.name, literals, &interrupted());
      if (opinions)
        competitor.opinions = *std::move(opinions);
      else
        give_up(competitor, opinions.error());
    }
  }

  static TimedCase facts_of(const SuiteCase& each) {
    TimedCase timed;
    timed.literal = to_string(each.question);
    timed.regime = each.regime;
    timed.words = each.words;
    const CallTensors tensors = make_shape_call(each.question);
    const auto promoted = promote(tensors.call());
    const auto size = [&](const Shape& shape) {
      return static_cast<std::uint64_t>(*byte_size(each.question.data.type, *element_count(shape)));
    };
    timed.input_bytes = size(promoted->data);
    timed.output_bytes = size(promoted->output);
    timed.innermost_bytes = innermost_bytes(each.question.data.type, *promoted);
    return timed;
  }

  // What the competitors are on this case, judged.
  void judge(TimedCase& timed) {
    std::optional<Result<Tensor>> large;
    for (Competitor& competitor : competitors_) {
      Subject subject = competitor.facts;
      const auto opinion = competitor.opinions.find(timed.literal);
      if (opinion != competitor.opinions.end()) {
        subject.verdict = opinion->second.verdict;
        subject.why = subject.verdict == Verdict::pass ? "" : opinion->second.why;
      } else if (competitor.entrant && timed.output_bytes > largest_in_rig && !interrupted()) {
        if (!large) large = large_answer(timed.literal);
        if (*large)
          competitor.entrant->check(timed.literal, **large, subject);
        else
          subject.why = large->error().what;
      }
      timed.subjects.push_back(std::move(subject));
    }
  }

  Result<Done> time_case(const SuiteCase& each) {
    TimedCase timed = facts_of(each);
    judge(timed);
    auto memory = CaseMemory::make(each.question);
    if (!memory) {
      for (Subject& subject : timed.subjects)
        subject.verdict = Verdict::not_run, subject.why = memory.error().what;
      run_.cases.push_back(std::move(timed));
      return Done{};
    }
    std::vector<std::unique_ptr<Contestant>> contestants;
    std::vector<Entry> entries;
    const auto enter = [&](std::unique_ptr<Contestant> contestant, auto& facts) {
      const auto slot = [&](Temperature temperature, std::optional<Rounds>& rounds) {
        return wants(temperature, timed.output_bytes) && contestant->can(temperature) ? &rounds : nullptr;
      };
      entries.push_back(
          {contestant.get(), slot(Temperature::hot, facts.hot), slot(Temperature::cold, facts.cold)});
      contestants.push_back(std::move(contestant));
    };
    std::vector<Subject*> entered;
    for (std::size_t index = 0; index < competitors_.size(); ++index) {
      Subject& subject = timed.subjects[index];
      if (subject.verdict != Verdict::pass) continue;
      enter(competitors_[index].entrant->enter(timed.literal, **memory), subject);
      entered.push_back(&subject);
    }
    for (const auto& team : teams_)
      for (const Probe probe : available_probes())
        timed.limits.push_back({probe, team->size(), {}, {}});
    for (Limit& limit : timed.limits)
      enter(std::make_unique<LimitContestant>(limit.probe, team_of(limit.threads), **memory), limit);

    MeasureOptions options;
    options.rounds = options_.rounds;
    options.seed = options_.seed;
    options.contestant_seconds = options_.budget;
    options.stop = [] { return interrupted().load(); };
    measure(entries, options);
    for (std::size_t index = 0; index < entered.size(); ++index)
      note_failure(*entered[index], entries[index]);
    run_.cases.push_back(std::move(timed));
    return Done{};
  }

  // It passed, and then did not hold out: no time, and no pass either.
  static void note_failure(Subject& subject, const Entry& entry) {
    if (entry.failure.empty()) return;
    subject.verdict = Verdict::fail;
    subject.why = "while it was timed: " + printable(entry.failure);
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
    if (interrupted()) return exit_interrupted;
    int code = exit_code_;
    bool timed = false;
    for (const TimedCase& each : run_.cases)
      for (const Subject& subject : each.subjects) {
        timed = timed || subject.hot || subject.cold;
        if (subject.verdict == Verdict::fail) code = graver(code, exit_not_conformant);
      }
    return timed ? code : graver(code, exit_nothing_run);
  }

  void say_progress(std::size_t number, const SuiteCase& each) {
    say(std::to_string(number) + " of " + std::to_string(cases_.size()) + ": " + to_string(each.question));
  }
  // A line that moves on a terminal, else a line of its own.
  void say(const std::string& text) {
    if (terminal_)
      error_ << "\r\033[Kcertile-bench: " << shortened(text, 100) << std::flush;
    else
      error_ << "certile-bench: " << text << std::endl;
  }
  void clear_progress() {
    if (terminal_) error_ << "\r\033[K" << std::flush;
  }

  const BenchOptions& options_;
  std::ostream& error_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::vector<SuiteCase> cases_;
  std::vector<Competitor> competitors_;
  std::vector<std::unique_ptr<Team>> teams_;
  BenchRun run_;
  int exit_code_ = exit_conformant;
};

}  // namespace

Result<BenchOutcome> run_benchmarks(const BenchOptions& options, std::ostream& error) {
  return Bench(options, error).run();
}

}  // namespace certile
