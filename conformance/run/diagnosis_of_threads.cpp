#include <algorithm>
#include <string>
#include <utility>

#include "conformance/run/diagnosis.hpp"
#include "conformance/run/other_answer.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

// A case that fails in concurrent calls and passes in two calls in the rig's memory need not be a race: the
// concurrent calls are thousands, with other data, in memory of the heap.
constexpr int tries_in_turn = 2;

// Memory of the heap begins at a multiple of 16 bytes, but not always of 64.
constexpr int heap_offsets[] = {16, 32, 48};

// Returns one of the concurrent calls as a single call.
Case call_of_thread(const Case& question, int thread) {
  Case call = question;
  call.fill = fill_of_thread(question.fill, thread);
  call.placement = Placement{};
  return call;
}

// Returns the first of the concurrent calls with a wrong output, or 0 if there is none.
int wrong_thread(const Judged& judged) {
  const auto* due = std::get_if<Answer>(&judged.expected);
  const auto* produced = std::get_if<Produced>(&judged.seen.outcome);
  if (due == nullptr || produced == nullptr) return 0;
  const std::size_t count = std::min(due->tensors.size(), produced->outputs.size());
  for (std::size_t index = 0; index < count; ++index)
    if (due->tensors[index] != produced->outputs[index]) return static_cast<int>(index);
  return 0;
}

// Returns true if the rig found a fault that does not depend on threads, for instance a changed input.
bool is_explained(const Observation& seen) {
  return std::ranges::any_of(seen.rig,
                             [](Fault fault) { return fault != Fault::raced && fault != Fault::unsteady; });
}

void blame(Judged& judged, Fault fault, std::string words) {
  std::erase(judged.seen.rig, Fault::raced);
  std::erase(judged.seen.rig, Fault::unsteady);
  judged.seen.rig.insert(judged.seen.rig.begin(), fault);
  judged.seen.details = std::move(words);
}

}  // namespace

Result<Amendment> Diagnosis::explain_concurrent(Judged judged) {
  auto by_one_call = explain_by_one_call(judged);
  if (!by_one_call) return by_one_call.error();
  if (*by_one_call) return **std::move(by_one_call);
  if (is_explained(judged.seen)) return judged_again(judged, session_->claim(), session_->door());
  auto by_address = explain_by_address(judged);
  if (!by_address) return by_address.error();
  if (*by_address) return **std::move(by_address);
  if (auto blamed = blame_threads(judged); !blamed) return blamed.error();
  Amendment amendment = judged_again(judged, session_->claim(), session_->door());
  add_line(amendment, whose_answer(judged, {}).words);
  return amendment;
}

// Asks each of the calls by itself, because each has other data.
Result<std::optional<Amendment>> Diagnosis::explain_by_one_call(const Judged& judged) {
  const Case& question = judged.question;
  const int calls = !question.data.bytes().empty() ? 1 : question.placement.threads;
  for (int thread = 0; thread < calls; ++thread) {
    const PlannedCase planned = planned_case(call_of_thread(question, thread));
    auto answer = ask_alone(planned);
    if (!answer) return answer.error();
    if (answer->record.judged.verdict != Verdict::fail) continue;
    auto simpler = explain_alone(*std::move(answer));
    if (!simpler) return simpler.error();
    simpler->words += "\none of the calls also fails by itself: " + planned.literal;
    return std::optional(*std::move(simpler));
  }
  return std::optional<Amendment>();
}

// Asks the call that failed at addresses such as those of the heap.
Result<std::optional<Amendment>> Diagnosis::explain_by_address(const Judged& judged) {
  Case question = call_of_thread(judged.question, wrong_thread(judged));
  for (const int offset : heap_offsets) {
    question.placement.offset = offset;
    const PlannedCase planned = planned_case(question);
    auto answer = ask_alone(planned);
    if (!answer) return answer.error();
    if (answer->record.judged.verdict != Verdict::fail) continue;
    auto simpler = explain_alone(*std::move(answer));
    if (!simpler) return simpler.error();
    simpler->words += "\none thread also fails at such an address: " + planned.literal;
    return std::optional(*std::move(simpler));
  }
  return std::optional<Amendment>();
}

// Makes the same calls in the same memory from one thread.  Threads are charged only if all these calls are
// right.
Result<Done> Diagnosis::blame_threads(Judged& judged) {
  for (int attempt = 0; attempt < tries_in_turn; ++attempt) {
    auto in_turn = ask_alone(*judged.planned, Manner::in_turn);
    if (!in_turn) return in_turn.error();
    if (in_turn->record.judged.verdict == Verdict::not_run) return Done{};  // the record keeps its finding
    if (in_turn->record.judged.verdict != Verdict::fail) continue;
    judged.seen = std::move(in_turn->seen);
    const bool always = std::holds_alternative<Produced>(judged.seen.outcome) && judged.seen.rig.empty();
    if (always)
      blame(judged, Fault::misplaced,
            "right at the end of a page, wrong in memory of the heap, even if one thread makes all calls");
    else if (!is_explained(judged.seen))
      blame(judged, Fault::unsteady,
            "right in the first calls of a process, wrong in one of thousands, even if one thread makes "
            "them");
    return Done{};
  }
  const std::string seen = judged.seen.details.empty() ? "" : ": " + judged.seen.details;
  blame(judged, Fault::raced,
        "right when one thread makes these calls one after the other, wrong when several make them at once" +
            seen);
  return Done{};
}

// Judges a failure that no command shows again.
Amendment Diagnosis::passed_again(const Judged& failing) const {
  Amendment amendment = judged_again(failing, session_->claim(), session_->door());
  amendment.reproduce.clear();
  return amendment;
}

// Explains a failure of concurrent calls that occurred once, after other calls, and not again.
Result<Amendment> Diagnosis::explain_rare_race(Judged failing, std::span<const PlannedCase* const> history,
                                               bool may_search) {
  if (is_explained(failing.seen)) return explain_by_history(std::move(failing), history, may_search);
  if (!may_search || work_left_ <= 0) {
    if (found(failing.seen, Fault::raced)) return passed_again(failing);
    return explain_by_history(std::move(failing), history, false);
  }
  const auto fails = fails_after(Sequence(history.begin(), history.end()), *failing.planned, Manner::in_turn);
  if (!fails) return fails.error();
  // [CT-STEADY] after the earlier calls, one thread fails as well
  if (*fails) return explain_by_history(std::move(failing), history, true, Manner::in_turn);
  blame(
      failing, Fault::raced,
      "wrong once, when several threads called, and right each time that it was asked again; right when one "
      "thread made these calls one after the other");
  Amendment amendment = passed_again(failing);
  add_line(amendment, whose_answer(failing, history).words);
  return amendment;
}

}  // namespace certile::conformance
