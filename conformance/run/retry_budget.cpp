#include "conformance/run/retry_budget.hpp"

#include <algorithm>

#include "conformance/judge/charge.hpp"

namespace certile::conformance {
namespace {

// Returns the clause by which crashes are counted: the one that entitles the caller to an answer, which is
// known before the case is asked.
std::string_view clause_of(const Case& question) {
  return text_of(answer_clause(question));
}

bool has_role(const Record& record, Role role) {
  return record.judged.charged == text_of(clause_with(record.definition, role));
}

bool is_placed(const Placement& placement) {
  return placement.chooses_addresses() || placement.threads > 1 || placement.calls > 1;
}

std::string kind_of(const Record& record) {
  return std::string(record.judged.charged) + ' ' + std::string(name(record.judged.fault));
}

bool has_ended_its_process(const Record& record) {
  return record.judged.fault == Fault::crash || record.judged.fault == Fault::timeout;
}

const Amendment* diagnosis_of(const Record& record) {
  const auto found = std::ranges::find(record.amendments, Amendment::By::diagnosis, &Amendment::by);
  return found == record.amendments.end() ? nullptr : &*found;
}

}  // namespace

bool RetryBudget::counts(const Record& record) {
  return has_ended_its_process(record) || record.was_asked_again();
}

void RetryBudget::restore(const Record& record) {
  const auto question = parse_case(record.literal);
  if (!question) return;
  const bool timed_out = record.judged.fault == Fault::timeout;
  if (has_ended_its_process(record)) note_end(*question, timed_out);
  if (!record.was_asked_again()) return;
  if (timed_out) may_confirm_time_out();
  if (diagnosis_of(record)->reproduce.size() != 1) note_history();
  const Plainness plainness = plainness_of(*question, record.literal);
  const std::lock_guard lock(mutex_);
  Reruns& reruns = reruns_[kind_of(record)];
  if (reruns.count == 0 || plainness < reruns.plainest) reruns.plainest = plainness;
  ++reruns.count;
  ++all_reruns_;
}

bool is_trouble(const Observation& seen) noexcept {
  const auto* failed = std::get_if<Failed>(&seen.outcome);
  return std::holds_alternative<Crashed>(seen.outcome) || (failed != nullptr && failed->out_of_memory);
}

bool RetryBudget::should_wait(const PlannedCase& planned) {
  if (all_should_wait()) return true;
  if (!some_wait_.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(mutex_);
  const auto found = crashes_.find(clause_of(planned.question()));
  return found != crashes_.end() && found->second >= crashes_per_clause;
}

void RetryBudget::note(const Judged& judged) {
  const auto* not_asked = std::get_if<NotAsked>(&judged.seen.outcome);
  const bool timed_out =
      std::holds_alternative<TimedOut>(judged.seen.outcome) || (not_asked != nullptr && not_asked->late);
  if (!timed_out && !std::holds_alternative<Crashed>(judged.seen.outcome)) return;
  note_end(judged.question, timed_out);
}

void RetryBudget::note_end(const Case& question, bool timed_out) {
  const std::lock_guard lock(mutex_);
  if (timed_out && ++time_outs_ >= time_outs) all_wait_.store(true);
  if (++crashes_[std::string(clause_of(question))] >= crashes_per_clause) some_wait_.store(true);
}

void RetryBudget::note_cost(int troubles, std::chrono::milliseconds cost,
                            std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  cost_ += cost;
  troubles_ += troubles;
  settle(patience);
}

void RetryBudget::note_slow(std::chrono::milliseconds cost, std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  slow_cost_ += cost;
  settle(patience);
}

void RetryBudget::add(const RetryBudget& piece, std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  cost_ += piece.cost_;
  slow_cost_ += piece.slow_cost_;
  troubles_ += piece.troubles_;
  time_outs_ += piece.time_outs_;
  settle(patience);
}

void RetryBudget::settle(std::chrono::milliseconds patience) {
  const bool crashes = troubles_ > few_troubles && cost_ >= patience;
  const bool slow = slow_cost_.count() > 0 && slow_cost_ >= patience;
  is_costly_ = is_costly_ || crashes || slow;
  if (is_costly_ || time_outs_ >= time_outs) all_wait_.store(true);
}

bool RetryBudget::has_timed_out() {
  const std::lock_guard lock(mutex_);
  return time_outs_ > 0;
}

bool RetryBudget::may_ask_again(const Judged& judged, const Plainness& plainness) {
  return may_ask_again(judged.record, judged.question.placement, plainness, is_trouble(judged.seen));
}

bool RetryBudget::may_ask_again(const Record& record, const Placement& placement,
                                const Plainness& plainness) {
  return may_ask_again(record, placement, plainness, false);
}

bool RetryBudget::may_ask_again(const Record& record, const Placement& placement, const Plainness& plainness,
                                bool is_trouble) {
  const std::lock_guard lock(mutex_);
  if (is_costly_ && is_trouble && ++costly_ > confirmed_costly) return false;
  Reruns& reruns = reruns_[kind_of(record)];
  // Only asking again without threads, places or earlier calls shows whether they cause the failure.
  const bool is_circumstance =
      has_role(record, Role::place) || has_role(record, Role::steady) || is_placed(placement);
  int allowed = histories_ > 0 || is_circumstance ? limits_.of_stateful : limits_.per_kind;
  if (all_reruns_ >= limits_.in_all) allowed = 1;
  if (reruns.count >= allowed && plainness >= reruns.plainest) return false;
  if (reruns.count == 0 || plainness < reruns.plainest) reruns.plainest = plainness;
  ++reruns.count;
  ++all_reruns_;
  return true;
}

bool RetryBudget::may_confirm_time_out() {
  const std::lock_guard lock(mutex_);
  return ++confirmed_ <= confirmed_time_outs;
}

bool RetryBudget::note_history() {
  const std::lock_guard lock(mutex_);
  return ++histories_ <= histories;
}

}  // namespace certile::conformance
