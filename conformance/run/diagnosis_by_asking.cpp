#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/registry/registry.hpp"
#include "conformance/ask/sandbox/private_folder.hpp"
#include "conformance/judge/charge.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/run/diagnosis.hpp"
#include "conformance/run/other_answer.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {

// Explains crashes by the addresses of the buffers.

namespace {

constexpr int widest = 64;  // the alignment of the widest vector, in bytes

// Returns the call with its data `data` bytes behind a multiple of 64, and its output `output` bytes.
Case call_at(const Case& question, int data, int output) {
  Case call = question;
  call.placement = {.offset = data};
  if (output != data) call.placement.output_offset = output;
  return call;
}

int bytes_of_element(ElementType type) {
  return is_packed(type) ? 1 : std::max(1, bits(type) / 8);
}

// Returns true if an instruction crashed, and the process did not end itself.
bool has_crashed(const Judged& judged) {
  const auto* const crashed = std::get_if<Crashed>(&judged.seen.outcome);
  return crashed != nullptr && (crashed->signal == SIGSEGV || crashed->signal == SIGBUS) &&
         judged.seen.rig.empty();
}

struct Moved {
  const char* words;
  bool data, output;
};
constexpr Moved moved[] = {{"the output begins", false, true},
                           {"the data begin", true, false},
                           {"data and output begin", true, true}};

}  // namespace

// [CT-PLACE] Asks the call where each buffer begins a page, and then at offsets, from the largest power of 2
// down: an instruction that needs an aligned address crashes at all that are no multiple of some power.
Result<std::optional<Amendment>> Diagnosis::explain_crash_by_address(const Judged& judged) {
  const std::optional<Amendment> nothing;
  if (!has_crashed(judged) || judged.question.placement.shape_only ||
      backends::worker_command(options_.spelling))
    return nothing;
  const int least = bytes_of_element(judged.question.data.type());
  PlannedCase planned;  // the one that was asked last
  const auto crash_at = [&](const Case& call) -> Result<std::optional<Judged>> {
    planned = planned_case(call);
    TRY(auto asked, ask_alone(planned));
    return has_crashed(asked) ? std::optional(std::move(asked)) : std::optional<Judged>();
  };
  Case aligned = judged.question;
  aligned.placement = {.guard = Placement::Guard::before};
  for (const Case& call : {aligned, call_at(judged.question, least, least)}) {
    TRY(const auto crash, crash_at(call));
    const bool is_aligned = call.placement.guard != Placement::Guard::none;
    if (crash.has_value() == is_aligned) return nothing;
  }
  for (const Moved& each : moved)
    for (int offset = widest / 2; offset >= least; offset /= 2) {
      TRY(auto crash, crash_at(call_at(judged.question, each.data ? offset : 0, each.output ? offset : 0)));
      if (!crash) continue;
      Judged& misplaced = *crash;
      misplaced.seen.rig = {Fault::misplaced};
      misplaced.seen.details =
          fmt::format("it crashes only where {} at no multiple of {}", each.words, 2 * offset);
      return std::optional(judged_again(misplaced, session_->claim(), session_->transport()));
    }
  return nothing;
}

// Explains failures by files that earlier calls wrote.

namespace {

// Returns ": $TMPDIR/cache and 2 more"; nothing for no file.
std::string in_words(const std::vector<std::string>& files) {
  if (files.empty()) return {};
  const std::string more = files.size() == 1 ? "" : " and " + std::to_string(files.size() - 1) + " more";
  return ": " + printable(files.front()) + more;
}

}  // namespace

// Asks the first failure of each clause where no file is left of other calls, and all once one depended on
// them, because each takes a process with a host.
Result<std::optional<Amendment>> Diagnosis::explain_by_files(const Judged& alone) {
  const std::optional<Amendment> nothing;
  const Finding& finding = alone.record.judged;
  const bool is_first = asked_without_files_.emplace(finding.charged).second;
  if (finding.fault == Fault::timeout || backends::worker_command(options_.spelling)) return nothing;
  if (!is_first && !depends_on_files_) return nothing;
  const auto folder = PrivateFolder::create();
  if (!folder) return nothing;
  IsolateOptions options = options_;
  options.fresh_folder = (*folder)->path();
  auto session = Session::open(options);
  if (!session) return nothing;  // it may need a file that is not here
  Judged fresh;
  session->listen([&fresh](Judged judged) { fresh = std::move(judged); });
  if (auto asked = session->ask(*alone.planned); !asked) return asked.error();
  if (auto finished = session->finish(); !finished) return finished.error();
  if (fresh.record.judged.verdict != Verdict::pass) return nothing;
  // A call that wrote none may have missed what else is not there; in a sandbox, nothing else is missing.
  const std::vector<std::string> files = files_written_in(options.fresh_folder);
  if (files.empty() && !options_.sandbox) return nothing;
  // Chance may have decided until now.
  TRY(auto again, ask_alone(*alone.planned));
  if (again.record.judged.verdict != Verdict::fail) return nothing;
  depends_on_files_ = true;
  Amendment amendment = judged_again(again, session_->claim(), session_->transport());
  add_first_line(amendment, "it depends on files that earlier calls wrote" + in_words(files));
  // [CT-STEADY] nothing but what earlier calls left on a disk differs
  amendment.fault = Fault::unsteady;
  amendment.charged = text_of(clause_with(again.question.definition, Role::steady));
  amendment.reproduce.clear();  // no call reproduces it where the files are not
  return std::optional(std::move(amendment));
}

// Explains failures by what a process has around it: the variables of its environment and its program.

namespace {

bool is_failure(const Judged& judged) {
  return judged.record.judged.verdict == Verdict::fail;
}

}  // namespace

Result<Judged> Diagnosis::ask_among(const PlannedCase& planned, Surroundings surroundings) {
  surroundings_ = surroundings;
  auto judged = ask_alone(planned);
  surroundings_ = options_.surroundings;
  return judged;
}

// Brings one surrounding after the other to what it is where the case passes, as long as the case fails.
Result<std::optional<Amendment>> Diagnosis::explain_by_surroundings(const PlannedCase& planned,
                                                                    Surroundings fails, Surroundings passes) {
  const std::optional<Amendment> nothing;
  auto failing = ask_among(planned, fails);
  if (!failing) return failing.error();
  if (!is_failure(*failing)) return nothing;
  for (int index = 0; index < surrounding_count; ++index) {
    const Surroundings nearer = fails.with(static_cast<Surrounding>(index), passes);
    if (nearer == fails || nearer == passes) continue;
    TRY(auto judged, ask_among(planned, nearer));
    if (!is_failure(judged)) continue;
    fails = nearer;
    failing = std::move(judged);
  }
  // What fails with the usual rounding breaks its clause, though another rounding may hide it.
  const bool differs_in_rounding_alone = fails.with(Surrounding::rounding, passes) == passes;
  if (differs_in_rounding_alone && !fails.is_of_a_user(Surrounding::rounding)) return nothing;
  // Chance may have decided until now.
  TRY(auto passing, ask_among(planned, passes));
  TRY(auto again, ask_among(planned, fails));
  if (passing.record.judged.verdict != Verdict::pass || !is_failure(again)) return nothing;
  Amendment amendment = judged_again(again, session_->claim(), session_->transport());
  add_first_line(amendment, difference_in_words(fails, passes));
  if (has_happened(amendment.fault)) return std::optional(std::move(amendment));
  // [CT-STEADY] nothing but the surroundings of the process differs
  amendment.fault = Fault::unsteady;
  amendment.charged = text_of(clause_with(again.question.definition, Role::steady));
  return std::optional(std::move(amendment));
}

// Asks the first failure of each clause among the other surroundings too, where most failures show as well.
Result<std::optional<Amendment>> Diagnosis::explain_elsewhere(const Judged& alone,
                                                              const Amendment& amendment) {
  const std::optional<Amendment> nothing;
  const bool takes_long = amendment.fault == Fault::timeout || amendment.fault == Fault::memory ||
                          alone.question.placement.calls > 1 || may_have_a_large_answer(alone.question);
  if (takes_long || backends::worker_command(options_.spelling)) return nothing;
  if (!asked_elsewhere_.emplace(amendment.charged).second) return nothing;
  const Surroundings other = options_.surroundings.other();
  TRY(auto judged, ask_among(*alone.planned, other));
  if (judged.record.judged.verdict != Verdict::pass) return nothing;
  return explain_by_surroundings(*alone.planned, options_.surroundings, other);
}

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
  TRY(auto by_one_call, explain_by_one_call(judged));
  if (by_one_call) return *std::move(by_one_call);
  if (is_explained(judged.seen)) return judged_again(judged, session_->claim(), session_->transport());
  TRY(auto by_address, explain_by_address(judged));
  if (by_address) return *std::move(by_address);
  if (auto blamed = blame_threads(judged); !blamed) return blamed.error();
  Amendment amendment = judged_again(judged, session_->claim(), session_->transport());
  add_line(amendment, whose_answer(judged, {}).words);
  return amendment;
}

// Asks one call of concurrent ones, and explains it with that sentence if it fails, too.
Result<std::optional<Amendment>> Diagnosis::explain_by_call(const Case& call, const char* sentence) {
  const PlannedCase planned = planned_case(call);
  TRY(auto answer, ask_alone(planned));
  if (answer.record.judged.verdict != Verdict::fail) return std::optional<Amendment>();
  TRY(auto simpler, explain_alone(std::move(answer)));
  simpler.words += sentence + planned.literal;
  return std::optional(std::move(simpler));
}

// Asks each of the calls by itself, because each has other data.
Result<std::optional<Amendment>> Diagnosis::explain_by_one_call(const Judged& judged) {
  const Case& question = judged.question;
  const int calls = !question.data.bytes().empty() ? 1 : question.placement.threads;
  for (int thread = 0; thread < calls; ++thread) {
    auto simpler =
        explain_by_call(call_of_thread(question, thread), "\none of the calls also fails by itself: ");
    if (!simpler || *simpler) return simpler;
  }
  return std::optional<Amendment>();
}

// Asks the call that failed at addresses such as those of the heap.
Result<std::optional<Amendment>> Diagnosis::explain_by_address(const Judged& judged) {
  Case question = call_of_thread(judged.question, wrong_thread(judged));
  for (const int offset : heap_offsets) {
    question.placement.offset = offset;
    auto simpler = explain_by_call(question, "\none thread also fails at such an address: ");
    if (!simpler || *simpler) return simpler;
  }
  return std::optional<Amendment>();
}

// Makes the same calls in the same memory from one thread.  Threads are charged only if all these calls are
// right.
Result<Done> Diagnosis::blame_threads(Judged& judged) {
  for (int attempt = 0; attempt < tries_in_turn; ++attempt) {
    TRY(auto in_turn, ask_alone(*judged.planned, Manner::in_turn));
    if (in_turn.record.judged.verdict == Verdict::not_run) return Done{};  // the record keeps its finding
    if (in_turn.record.judged.verdict != Verdict::fail) continue;
    judged.seen = std::move(in_turn.seen);
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
  Amendment amendment = judged_again(failing, session_->claim(), session_->transport());
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
  TRY(const auto fails,
      fails_after(Sequence(history.begin(), history.end()), *failing.planned, Manner::in_turn));
  // [CT-STEADY] after the earlier calls, one thread fails as well
  if (fails) return explain_by_history(std::move(failing), history, true, Manner::in_turn);
  blame(
      failing, Fault::raced,
      "wrong once, when several threads called, and right each time that it was asked again; right when one "
      "thread made these calls one after the other");
  Amendment amendment = passed_again(failing);
  add_line(amendment, whose_answer(failing, history).words);
  return amendment;
}

}  // namespace certile::conformance
