#include "conformance/run/crash_book.hpp"

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
  return placement.guard != Placement::Guard::none || placement.offset != 0 || placement.threads > 1;
}

}  // namespace

bool is_trouble(const Observation& seen) noexcept {
  const auto* failed = std::get_if<Failed>(&seen.outcome);
  return std::holds_alternative<Crashed>(seen.outcome) || (failed != nullptr && failed->out_of_memory);
}

bool CrashBook::should_wait(const PlannedCase& planned) {
  if (all_should_wait()) return true;
  if (!some_wait_.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(mutex_);
  const auto found = crashes_.find(clause_of(planned.question));
  return found != crashes_.end() && found->second >= crashes_per_clause;
}

void CrashBook::note(const Judged& judged) {
  const auto* not_asked = std::get_if<NotAsked>(&judged.seen.outcome);
  const bool timed_out =
      std::holds_alternative<TimedOut>(judged.seen.outcome) || (not_asked != nullptr && not_asked->late);
  if (!timed_out && !std::holds_alternative<Crashed>(judged.seen.outcome)) return;
  const std::lock_guard lock(mutex_);
  if (timed_out && ++time_outs_ >= time_outs) all_wait_.store(true);
  if (++crashes_[std::string(clause_of(judged.planned->question))] >= crashes_per_clause)
    some_wait_.store(true);
}

void CrashBook::note_cost(int troubles, std::chrono::milliseconds cost, std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  cost_ += cost;
  troubles_ += troubles;
  if (troubles_ <= few_troubles || cost_ < patience) return;
  is_costly_ = true;
  all_wait_.store(true);
}

void CrashBook::note_slow(std::chrono::milliseconds cost, std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  slow_cost_ += cost;
  if (slow_cost_ < patience) return;
  is_costly_ = true;
  is_slow_.store(true);
  all_wait_.store(true);
}

bool CrashBook::may_ask_again(const Judged& judged, const Plainness& plainness) {
  const Record& record = judged.record;
  const std::lock_guard lock(mutex_);
  if (is_costly_ && is_trouble(judged.seen) && ++costly_ > confirmed_costly) return false;
  Reruns& reruns = reruns_[std::string(record.judged.charged) + ' ' + std::string(name(record.judged.fault))];
  // Only asking again without threads, places or earlier calls shows whether they cause the failure.
  const bool is_circumstance = has_role(record, Role::place) || has_role(record, Role::steady) ||
                               is_placed(judged.planned->question.placement);
  int allowed = histories_ > 0 || is_circumstance ? limits_.of_stateful : limits_.per_kind;
  if (all_reruns_ >= limits_.in_all) allowed = 1;
  if (reruns.count >= allowed && plainness >= reruns.plainest) return false;
  if (reruns.count == 0 || plainness < reruns.plainest) reruns.plainest = plainness;
  ++reruns.count;
  ++all_reruns_;
  return true;
}

bool CrashBook::may_confirm_time_out() {
  const std::lock_guard lock(mutex_);
  return ++confirmed_ <= confirmed_time_outs;
}

bool CrashBook::note_history() {
  const std::lock_guard lock(mutex_);
  return ++histories_ <= histories;
}

}  // namespace certile::conformance
