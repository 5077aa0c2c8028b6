#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/judge/charge.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/run/diagnosis.hpp"
#include "reference/spec/pages.hpp"

// Explains failures by what a process has around it: the variables of its environment and its program.

namespace certile::conformance {
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
    auto judged = ask_among(planned, nearer);
    if (!judged) return judged.error();
    if (!is_failure(*judged)) continue;
    fails = nearer;
    failing = std::move(judged);
  }
  // What fails with the usual rounding breaks its clause, though another rounding may hide it.
  const bool differs_in_rounding_alone = fails.with(Surrounding::rounding, passes) == passes;
  if (differs_in_rounding_alone && !fails.is_of_a_user(Surrounding::rounding)) return nothing;
  // Chance may have decided until now.
  auto passing = ask_among(planned, passes);
  if (!passing) return passing.error();
  auto again = ask_among(planned, fails);
  if (!again) return again.error();
  if (passing->record.judged.verdict != Verdict::pass || !is_failure(*again)) return nothing;
  Amendment amendment = judged_again(*again, session_->claim(), session_->door());
  amendment.words = difference_in_words(fails, passes) + "\n" + amendment.words;
  if (has_happened(amendment.fault)) return std::optional(std::move(amendment));
  // [CT-STEADY] nothing but the surroundings of the process differs
  amendment.fault = Fault::unsteady;
  amendment.charged = text_of(clause_with(again->question.definition, Role::steady));
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
  auto judged = ask_among(*alone.planned, other);
  if (!judged) return judged.error();
  if (judged->record.judged.verdict != Verdict::pass) return nothing;
  return explain_by_surroundings(*alone.planned, options_.surroundings, other);
}

}  // namespace certile::conformance
