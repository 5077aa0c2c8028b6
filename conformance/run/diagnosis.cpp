#include "conformance/run/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/judge/judge.hpp"
#include "conformance/run/other_answer.hpp"
#include "conformance/run/plainer.hpp"

namespace certile::conformance {
namespace {

constexpr int probes_per_failure = 80;
// Each probe takes a fresh process, which a worker may take long to start.
constexpr int probes_per_run = 1'000, probes_of_worker = 50;
// The number of cases asked in search of histories in the whole run.  It is limited, because a backend whose
// every failure needs a long history would take hours.
constexpr std::int64_t work_per_run = 100'000;
// The calls before a failure that are tried alone, because they may share a key with it.
constexpr int related_per_failure = 12, related_of_worker = 3;
constexpr int tries_of_a_race = 5;
// The time limit in milliseconds of the plainer calls next to one that hangs.
constexpr int limit_of_steps = 1'000;

bool is_plain(const Placement& placement) {
  return !placement.chooses_addresses() && placement.threads == 1;
}

void replace(Observation& seen, Fault from, Fault to, const std::string& details) {
  std::replace(seen.rig.begin(), seen.rig.end(), from, to);
  seen.details = details;
}

// A case that takes this part of the time limit when it is asked alone is too slow to tell a hang from a
// slow machine.  A case is at least two calls, so each call may have taken a quarter.
constexpr int near_the_limit = 2;

bool is_time_out(const Judged& judged) {
  return std::holds_alternative<TimedOut>(judged.seen.outcome);
}

// Returns true if a call timed out before the whole time limit had passed.
bool is_stopped_early(const Judged& judged, int time_limit) {
  const auto* late = std::get_if<TimedOut>(&judged.seen.outcome);
  return late != nullptr && late->milliseconds < time_limit;
}

}  // namespace

bool found(const Observation& seen, Fault fault) {
  return std::ranges::find(seen.rig, fault) != seen.rig.end();
}

void add_line(Finding& finding, const std::string& line) {
  // What the process printed may be long, so it stays last.
  if (line.empty()) return;
  const std::size_t end = std::min(finding.printed_at, finding.words.size());
  finding.words.insert(end, "\n" + line);
  if (finding.printed_at != std::string::npos) finding.printed_at += 1 + line.size();
}

void add_first_line(Finding& finding, const std::string& line) {
  finding.words.insert(0, line + "\n");
  if (finding.printed_at != std::string::npos) finding.printed_at += line.size() + 1;
}

Amendment judged_again(const Judged& judged, const Claim& claim, Transport transport) {
  Record record = judge({judged.question, judged.planned->literal, judged.planned->cites}, claim, transport,
                        judged.seen, judged.expected);
  return {std::move(record.judged), Amendment::By::diagnosis, {judged.planned->literal}};
}

Result<Record> diagnosed(const Judged& failing, std::span<const PlannedCase* const> asked,
                         const IsolateOptions& options) {
  const auto history = asked.subspan(failing.history_begin, failing.history_end - failing.history_begin);
  Record record = failing.record;
  auto amendment = Diagnosis(options).explain(failing, history, [] { return true; });
  if (amendment)
    record.amendments.push_back(*std::move(amendment));
  else if (!options.stop || !options.stop())
    return amendment.error();
  return record;
}

Diagnosis::Diagnosis(IsolateOptions options)
    : options_(std::move(options)),
      surroundings_(options_.surroundings),
      all_probes_left_(backends::worker_command(options_.spelling) ? probes_of_worker : probes_per_run),
      related_left_(all_probes_left_),
      work_left_(work_per_run) {}

Result<Judged> Diagnosis::ask_in_order(const Sequence& sequence, Manner manner) {
  ++processes_;
  if (!session_) {
    IsolateOptions options = options_;
    options.surroundings = surroundings_;
    TRY(auto opened, Session::open(options));
    session_ = std::move(opened);
  } else if (auto fresh = session_->fresh(surroundings_); !fresh) {
    return fresh.error();
  }
  return ask(sequence, manner);
}

Result<Judged> Diagnosis::ask(const Sequence& sequence, Manner manner) {
  Judged last;
  session_->take_unanswered();
  session_->listen([&last](Judged judged) { last = std::move(judged); });
  const auto start = session_->own_time();
  for (std::size_t index = 0; index < sequence.size(); ++index) {
    const bool is_last = index + 1 == sequence.size();
    auto asked = is_last ? session_->ask(*sequence[index], manner) : session_->ask_unjudged(*sequence[index]);
    if (!asked) return asked.error();
  }
  if (auto finished = session_->finish(); !finished) return finished.error();
  last_took_ = session_->own_time() - start;
  return last;
}

Result<Judged> Diagnosis::ask_alone(const PlannedCase& planned, Manner manner) {
  return ask_in_order({&planned}, manner);
}

Result<Judged> Diagnosis::ask_next(const PlannedCase& planned) {
  return ask({&planned}, Manner::usual);
}

Result<Amendment> Diagnosis::explain(const Judged& failing, std::span<const PlannedCase* const> history,
                                     const MaySearch& may_search) {
  TRY(auto by_address, explain_crash_by_address(failing));
  if (by_address) return *std::move(by_address);
  // Whether threads disturb each other depends on chance, so concurrent cases are asked several times.
  const bool concurrent = failing.question.placement.threads > 1;
  for (int attempt = 0; attempt < (concurrent ? tries_of_a_race : 1); ++attempt) {
    TRY(auto alone, ask_alone(*failing.planned));
    if (options_.stop && options_.stop()) return Error{Error::Code::io, "the run was stopped before"};
    if (alone.record.judged.verdict == Verdict::fail) {
      TRY(auto by_files, explain_by_files(alone));
      if (by_files) return *std::move(by_files);
      return concurrent ? explain_concurrent(std::move(alone)) : explain_alone(std::move(alone));
    }
    // A call that was stopped early, because another had hung, may only be slow, so this answer replaces it.
    Finding& again = alone.record.judged;
    if (is_stopped_early(failing, options_.time_limit)) return Amendment{std::move(again)};
    if (again.verdict == Verdict::not_run) {
      // A case that could not be asked has not passed, so no earlier call can be charged.
      Amendment as_before{static_cast<const Finding&>(failing.record.judged)};
      as_before.words += "\nit could not be asked again: " + again.words;
      return as_before;
    }
    if (is_time_out(failing) && last_took_ >= std::chrono::milliseconds(options_.time_limit) / near_the_limit)
      return left_open(failing);
  }
  if (failing.surroundings != options_.surroundings && !is_time_out(failing)) {
    TRY(auto blamed, explain_by_surroundings(*failing.planned, failing.surroundings, options_.surroundings));
    if (blamed) return *std::move(blamed);
  }
  return concurrent ? explain_rare_race(failing, history, may_search())
                    : explain_by_history(failing, history, may_search());
}

// Leaves a time-out undecided: the case passed alone, and so slowly that a busy machine may have been the
// cause.
Amendment Diagnosis::left_open(const Judged& failing) const {
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(last_took_).count();
  Finding open;
  open.words = fmt::format(
      "{}\nalone it passed after {} ms, too close to the time limit to be charged; set --time-limit",
      failing.record.judged.words, took);
  return {std::move(open), Amendment::By::diagnosis, {failing.planned->literal}};
}

Result<Amendment> Diagnosis::explain_alone(Judged alone) {
  if (alone.question.placement.calls > 1) {
    if (auto blamed = blame_many_calls(alone); !blamed) return blamed.error();
  } else if (found(alone.seen, Fault::unsteady)) {
    TRY(auto misplaced, depends_on_side(alone));
    if (misplaced)
      replace(alone.seen, Fault::unsteady, Fault::misplaced, "the answer depends on the buffers' addresses");
  } else if (!is_plain(alone.question.placement)) {
    if (auto blamed = blame_placement(alone); !blamed) return blamed.error();
  }
  Amendment amendment = judged_again(alone, session_->claim(), session_->transport());
  if (auto blamed = blame_plainer_case(alone, amendment); !blamed) return blamed.error();
  TRY(auto elsewhere, explain_elsewhere(alone, amendment));
  return elsewhere ? *std::move(elsewhere) : std::move(amendment);
}

// Makes the call plainer, step by step, while it fails in the same way.  The plainest such call shows the
// rule that is broken, because fewer rules make it special.  One process is asked all steps; the plainest
// call counts only if it also fails alone.
Result<Done> Diagnosis::blame_plainer_case(const Judged& alone, Amendment& amendment) {
  constexpr std::array explained{Fault::shape,  Fault::refused, Fault::failed,
                                 Fault::memory, Fault::crash,   Fault::timeout};
  const bool hangs = amendment.fault == Fault::timeout;
  // Each step takes as long as the call, unless the call hangs: then a second is enough.
  const bool is_quick = hangs || last_took_ < std::chrono::seconds(1);
  const bool is_due = is_quick && std::holds_alternative<Answer>(alone.expected) && alone.seen.rig.empty();
  if (!is_due || std::ranges::find(explained, amendment.fault) == explained.end()) return Done{};
  Case plainest = alone.question;
  for (const Plainer step : plainer_steps()) {
    const auto plainer = step(plainest);
    if (!plainer) continue;
    const PlannedCase planned = planned_case(*plainer);
    // A call without elements may become one with billions of them, whose answer takes minutes to compute.
    if (planned.literal.size() > longest_literal || may_have_a_large_answer(*plainer)) continue;
    if (hangs) session_->set_time_limit(std::min(limit_of_steps, options_.time_limit));
    const auto came_to = ask_plainer(planned, false);
    session_->set_time_limit(options_.time_limit);
    if (!came_to) return came_to.error();
    if (came_to->fault == amendment.fault) plainest = *plainer;
  }
  if (plainest == alone.question) return Done{};
  const PlannedCase planned = planned_case(plainest);
  TRY(const auto came_to, ask_plainer(planned, true));
  if (came_to.fault != amendment.fault) return Done{};
  amendment.charged = came_to.charged;
  add_line(amendment, "it goes wrong in the same way: " + planned.literal);
  return Done{};
}

// Returns the result of a plainer case, asked now or before.
Result<Diagnosis::Plainest> Diagnosis::ask_plainer(const PlannedCase& planned, bool alone) {
  const auto known = plainer_.find(planned.literal);
  if (known != plainer_.end() && (known->second.alone || !alone)) return known->second;
  TRY(auto answer, alone ? ask_alone(planned) : ask_next(planned));
  Plainest came_to{Fault::none, {}, alone};
  if (const Finding& found = answer.record.judged; found.verdict == Verdict::fail) {
    came_to.fault = found.fault;
    came_to.charged = found.charged;
  }
  plainer_[planned.literal] = came_to;
  return came_to;
}

// Returns true if the wrong one of two answers depends on the side of memory, not on the order of the calls.
Result<bool> Diagnosis::depends_on_side(const Judged& unsteady) {
  const auto right = unsteady.right_on_side;
  TRY(auto swapped, ask_alone(*unsteady.planned, Manner::other_side_first));
  // [CT-PLACE] the wrong answer stays on its side of memory when the order of the calls is reversed
  return right && (*right)[0] != (*right)[1] && right == swapped.right_on_side;
}

// Asks the case without its placement.  If the case passes then, its placement is charged.
Result<Done> Diagnosis::blame_placement(Judged& judged) {
  Case plain = judged.question;
  plain.placement = Placement{};
  plain.placement.shape_only = judged.question.placement.shape_only;
  const PlannedCase planned = planned_case(plain);
  TRY(auto answer, ask_alone(planned));
  if (answer.record.judged.verdict == Verdict::fail) {
    if (!found(answer.seen, Fault::unsteady) || !judged.seen.rig.empty()) return Done{};
    // Both sides of memory are wrong with the placement, but one may be right without it.
    TRY(auto misplaced, depends_on_side(answer));
    if (!misplaced) return Done{};
    judged.seen.rig.push_back(Fault::misplaced);
    judged.seen.details = "the answer depends on the buffers' addresses";
    return Done{};
  }
  const bool explained = !judged.seen.rig.empty() && !found(judged.seen, Fault::unsteady);
  if (explained || answer.record.judged.verdict == Verdict::not_run) return Done{};
  judged.seen.rig.insert(judged.seen.rig.begin(), Fault::misplaced);
  judged.seen.details = "wrong for buffers at these addresses, right at others";
  return Done{};
}

// Asks the case with as few calls as any other case.  If the case passes then, the many calls are charged.
Result<Done> Diagnosis::blame_many_calls(Judged& judged) {
  if (!judged.seen.rig.empty()) return Done{};
  Case few = judged.question;
  few.placement.calls = 1;
  const PlannedCase planned = planned_case(few);
  TRY(auto answer, ask_alone(planned));
  if (answer.record.judged.verdict != Verdict::pass) return Done{};
  // [CT-STEADY] nothing but the calls before differs
  judged.seen.rig.push_back(Fault::unsteady);
  judged.seen.details = "right when it is called twice, wrong when it is called many times";
  return Done{};
}

Result<bool> Diagnosis::fails_after(const Sequence& before, const PlannedCase& planned, Manner manner) {
  --probes_left_;
  --all_probes_left_;
  work_left_ -= static_cast<std::int64_t>(before.size()) + 1;
  Sequence sequence = before;
  sequence.push_back(&planned);
  TRY(auto judged, ask_in_order(sequence, manner));
  return judged.record.judged.verdict == Verdict::fail;
}

// Returns one earlier call after which the case fails, or an empty sequence.
Result<Diagnosis::Sequence> Diagnosis::find_related_cause(const PlannedCase& planned,
                                                          std::span<const PlannedCase* const> history,
                                                          Manner manner) {
  const bool is_worker = backends::worker_command(options_.spelling).has_value();
  const int most = std::min(related_left_, is_worker ? related_of_worker : related_per_failure);
  for (const PlannedCase* related : related_calls(planned, history, static_cast<std::size_t>(most))) {
    --related_left_;
    ++all_probes_left_;  // these have a separate limit
    auto fails = fails_after({related}, planned, manner);
    if (!fails) return fails.error();
    if (*fails) return Sequence{related};
  }
  return Sequence{};
}

// Returns the end of the history after which the case fails, by doubling its length until the case fails.
// Returns an empty sequence if the case never fails.
Result<Diagnosis::Sequence> Diagnosis::find_cause(const PlannedCase& planned,
                                                  std::span<const PlannedCase* const> history,
                                                  Manner manner) {
  for (std::size_t length = 1; !history.empty(); length *= 2) {
    const auto taken = history.last(std::min(length, history.size()));
    Sequence cause(taken.begin(), taken.end());
    TRY(auto fails, fails_after(cause, planned, manner));
    if (fails) return shorten(std::move(cause), planned, manner);
    if (taken.size() == history.size()) break;
  }
  return Sequence{};
}

Result<Amendment> Diagnosis::explain_by_history(Judged failing, std::span<const PlannedCase* const> history,
                                                bool may_search, Manner manner) {
  probes_left_ = std::min(probes_per_failure, all_probes_left_);
  Sequence cause;
  if (!last_cause_.empty() && work_left_ > 0) {
    TRY(auto fails, fails_after(last_cause_, *failing.planned, manner));
    if (fails) cause = last_cause_;
  }
  if (cause.empty()) {
    TRY(auto related, find_related_cause(*failing.planned, history, manner));
    cause = std::move(related);
  }
  const bool searched = cause.empty() && may_search && work_left_ > 0 && all_probes_left_ > 0;
  if (searched) {
    TRY(auto found_cause, find_cause(*failing.planned, history, manner));
    cause = std::move(found_cause);
  }
  // [CT-STEADY] the case passes alone, so earlier calls or chance make it fail
  if (cause.empty() && searched)
    failing.seen.details = "asked again after the same calls it passed, so chance, time or addresses decide";
  if (!cause.empty()) last_cause_ = cause;
  failing.seen.reproduces_alone = false;
  failing.seen.needed_calls = words_for_calls(cause);
  // After other calls it is no news that two runs of the call differ.
  if (!cause.empty() && failing.seen.rig == std::vector{Fault::unsteady}) failing.seen.details.clear();
  Amendment amendment = judged_again(failing, session_->claim(), session_->transport());
  add_line(amendment,
           (cause.empty() ? whose_answer(failing, history) : whose_answer(failing, cause, IsNamed::last_call))
               .words);
  amendment.reproduce.clear();
  if (cause.empty()) return amendment;
  for (const PlannedCase* planned : cause)
    amendment.reproduce.push_back(planned->literal);
  amendment.reproduce.push_back(failing.planned->literal);
  return amendment;
}

// Omits halves, quarters, … single cases, as long as the case still fails.
Result<Diagnosis::Sequence> Diagnosis::shorten(Sequence before, const PlannedCase& planned, Manner manner) {
  for (std::size_t piece = (before.size() + 1) / 2; piece > 0 && before.size() > 1; piece /= 2) {
    for (std::size_t start = 0; start < before.size() && before.size() > 1 && probes_left_ > 0;) {
      Sequence fewer(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(start));
      fewer.insert(fewer.end(),
                   before.begin() + static_cast<std::ptrdiff_t>(std::min(start + piece, before.size())),
                   before.end());
      TRY(auto fails, fails_after(fewer, planned, manner));
      if (fails)
        before = std::move(fewer);
      else
        start += piece;
    }
  }
  return before;
}

}  // namespace certile::conformance
