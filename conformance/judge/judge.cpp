#include "conformance/judge/judge.hpp"

#include <algorithm>
#include <csignal>
#include <limits>
#include <span>

#include "conformance/judge/case_traits.hpp"
#include "conformance/judge/charge.hpp"
#include "conformance/judge/difference.hpp"
#include "conformance/judge/exercised.hpp"
#include "conformance/judge/failure_evidence.hpp"
#include "conformance/judge/pieces.hpp"
#include "conformance/judge/record.hpp"
#include "reference/oracle/definition.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

Finding pass() {
  return {Verdict::pass};
}

Finding fail(Fault fault, ClauseId clause, std::string evidence) {
  return {Verdict::fail, fault, text_of(clause), std::move(evidence)};
}

Finding unsupported(const Outcome& outcome) {
  return {Verdict::unsupported, Fault::none, {}, message_of(outcome)};
}

// A trial: a question, the observation, and whether the claim covers the question.
struct Trial {
  const Case& question;
  const Observation& seen;
  const Outcome& outcome;
  bool inside;
  bool infers;
  Transport transport;
  const Claim& claim;

  template <class Kind>
  const Kind* came_to() const {
    return std::get_if<Kind>(&outcome);
  }
  // Returns the clause that a wrong answer breaks: the claim's outside the claim, else `clause`.
  ClauseId unless_outside(ClauseId clause) const { return inside ? clause : with(Role::claim); }
  // Returns the clause of the definition, or of the contract, that has the role.
  ClauseId with(Role role) const { return clause_with(question.definition, role); }
};

ClauseId clause_of_rig_fault(Fault fault, const Trial& trial, const Expectation& expected) {
  const auto* answer = std::get_if<Answer>(&expected);
  if (fault == Fault::type) return trial.with(answer != nullptr ? Role::output_type : Role::refuse);
  if (fault != Fault::shape) return contract_clause(fault);
  if (answer == nullptr) return trial.with(Role::refuse);
  // [CT-INFER] `infer` gave the expected shape, because `run` was called
  if (trial.infers) return trial.with(Role::infer);
  return shape_clause(trial.question, answer->shape, trial.seen.produced_shape.value_or(answer->shape));
}

// Returns the finding for wrong elements: their bits, another call's elements, or their places.
Finding wrong_elements(const Trial& trial, const Tensor& expected, std::span<const Tensor> others,
                       const Tensor& seen, std::string evidence) {
  ClauseId clause = trial.with(Role::values);
  if (holds_elements_of(expected, seen, others)) {
    clause = trial.with(Role::threads);
    evidence += "\nit is an element of another concurrent call";
  } else if (is_right_in_the_opposite_order(trial.question, seen)) {
    clause = trial.with(Role::layout);
    evidence += "\nit is right where every byte is read in the opposite order";
  } else if (only_bits_differ(expected, seen, trial.question.fill.kind)) {
    clause = trial.with(Role::bits);  // [CT-BITS] every element is at its place, but with other bits
  }
  return fail(Fault::elements, trial.unless_outside(clause), std::move(evidence));
}

std::vector<bool> unwritten_of(const Trial& trial, std::size_t index) {
  const auto& unwritten = trial.seen.unwritten;
  return index < unwritten.size() ? unwritten[index] : std::vector<bool>();
}

// Compares a large output with its pieces.  The first piece that differs decides what is wrong.
Finding compare_pieces(const Trial& trial, const Shape& shape, const Tensor& seen) {
  const auto compared = wrong_piece(trial.question, seen);
  if (!compared) return {Verdict::not_run, Fault::none, {}, compared.error().what};
  if (!*compared) return pass();
  const WrongPiece& wrong = **compared;
  std::vector<bool> unwritten = unwritten_of(trial, 0);
  if (!unwritten.empty()) {
    const auto begin = unwritten.begin() + wrong.first;
    unwritten = {begin, begin + wrong.expected.count()};
  }
  const Whole whole{shape, wrong.first, wrong.elements};
  return wrong_elements(trial, wrong.expected, {}, wrong.seen,
                        describe(wrong.found, wrong.expected, wrong.seen, unwritten, &whole));
}

// Compares the output of one of the concurrent calls.
Finding compare(const Trial& trial, const Answer& answer, std::size_t index, const Tensor& seen) {
  const ElementType type = trial.question.data.type();
  if (seen.type() != type)
    return fail(Fault::type, trial.unless_outside(trial.with(Role::output_type)),
                "the output is " + shape_to_string(seen.type(), seen.shape()) + ", expected " +
                    shape_to_string(type, answer.shape));
  if (seen.shape() != answer.shape)
    return fail(Fault::shape, trial.unless_outside(shape_clause(trial.question, answer.shape, seen.shape())),
                wrong_shape("the output is", type, answer.shape, seen.shape()));
  if (answer.is_in_pieces) return compare_pieces(trial, answer.shape, seen);
  const Tensor& expected = answer.tensors[index];
  if (const auto found = difference(expected, seen))
    return wrong_elements(trial, expected, answer.tensors, seen,
                          describe(*found, expected, seen, unwritten_of(trial, index)));
  return pass();
}

// Returns the number of outputs that an answer has.
std::size_t outputs_of(const Answer& answer) {
  return answer.is_in_pieces ? 1 : answer.tensors.size();
}

// Returns the highest rank that the claim or the definition promises.
std::int64_t promised_rank(const Claim& claim, DefinitionId definition) {
  if (!claim.max_rank) return std::numeric_limits<std::int64_t>::max();
  return std::max<std::int64_t>({*claim.max_rank, oracle::rules_of(definition).required_rank, 0});
}

// Returns the clause by which a case must be supported: the definition's own if it promises more than the
// claim.
ClauseId promise_clause(const Trial& trial, std::size_t rank) {
  const Case& question = trial.question;
  const Claim& claim = trial.claim;
  if (!claim.types.contains(question.data.type())) return trial.with(Role::element_types);
  if (claim.max_rank && static_cast<std::int64_t>(rank) > *claim.max_rank)
    return trial.with(Role::required_rank);
  return trial.with(Role::claim);
}

Finding judge_answer(const Trial& trial, const Answer& answer) {
  if (const auto& inferred = trial.seen.inferred; inferred && *inferred && **inferred != answer.shape)
    return fail(Fault::shape, trial.unless_outside(shape_clause(trial.question, answer.shape, **inferred)),
                wrong_shape("inferred", trial.question.data.type(), answer.shape, **inferred));
  if (const auto* produced = trial.came_to<Produced>()) {
    if (trial.question.placement.shape_only) {
      if (trial.seen.inferred) return pass();
      return {Verdict::not_run, Fault::none, {}, "its shape inference was not asked"};
    }
    if (produced->outputs.size() != outputs_of(answer))
      return fail(Fault::left_unwritten, trial.with(Role::write), "no output came back");
    for (std::size_t index = 0; index < outputs_of(answer); ++index) {
      Finding finding = compare(trial, answer, index, produced->outputs[index]);
      if (finding.verdict != Verdict::pass) return finding;
    }
    return pass();
  }
  std::string evidence =
      message_of(trial.outcome) + "\nexpected " + shape_to_string(trial.question.data.type(), answer.shape);
  // [CT-RETURN] the rule that makes the call legal need not be the one that ends it
  if (trial.came_to<Crashed>())
    return fail(Fault::crash, trial.unless_outside(trial.with(Role::returns)), std::move(evidence));
  if (trial.came_to<TimedOut>() && !is_beyond_memory(trial.question))
    return fail(Fault::timeout, trial.unless_outside(trial.with(Role::returns)), std::move(evidence));
  const bool shape_not_asked = trial.question.placement.shape_only && !trial.infers;
  if (!trial.inside || shape_not_asked) return unsupported(trial.outcome);
  if (trial.came_to<Unsupported>()) {
    const auto rank = std::max(trial.question.data.shape().size(), answer.shape.size());
    return fail(Fault::claim, promise_clause(trial, rank),
                std::move(evidence) + "; the claim covers this case");
  }
  const auto* failed = trial.came_to<Failed>();
  if (failed == nullptr) return fail(Fault::refused, answer_clause(trial.question), std::move(evidence));
  // [CT-CLAIM] a claim says how large outputs may be: a lack of memory within it breaks the promise
  if (failed->out_of_memory)
    return fail(Fault::memory, trial.with(Role::claim), std::move(evidence) + "; the claim covers this case");
  return fail(Fault::failed, answer_clause(trial.question), std::move(evidence));
}

// Returns the shape of the answer: the produced one, else the inferred one.
std::optional<Shape> shape_given(const Trial& trial) {
  const Observation& seen = trial.seen;
  if (seen.produced_shape) return seen.produced_shape;
  if (seen.inferred && *seen.inferred) return **seen.inferred;
  // Over a pipe an output has its own shape, which may happen to be that of the data.
  const auto* produced = trial.came_to<Produced>();
  if (trial.transport.shares_memory || produced == nullptr || produced->outputs.empty()) return std::nullopt;
  return produced->outputs.front().shape();
}

Finding judge_refusal(const Trial& trial, const Reject& reject) {
  const std::string due = "a refusal is expected: " + reject.why;
  const auto& inferred = trial.seen.inferred;
  const bool infer_accepted = inferred && *inferred;
  if (trial.came_to<Refused>()) {
    if (!infer_accepted) return pass();
    // [CT-INFER] `run` refused what `infer` accepted
    return fail(Fault::accepted, trial.with(Role::infer),
                "inferred " + shape_to_string(trial.question.data.type(), **inferred) +
                    ", and refused in run; " + due);
  }
  if (trial.came_to<Produced>())
    return fail(Fault::accepted, accepted_clause(trial.question, reject, shape_given(trial)),
                what_was_given(trial.question, trial.seen, trial.outcome) + "; " + due);
  std::string evidence = message_of(trial.outcome) + "\n" + due;
  if (trial.came_to<Crashed>()) return fail(Fault::crash, trial.with(Role::refuse), std::move(evidence));
  if (trial.came_to<TimedOut>()) return fail(Fault::timeout, trial.with(Role::refuse), std::move(evidence));
  if (trial.came_to<Unsupported>()) {
    const bool shape_not_asked = trial.question.placement.shape_only && !trial.infers;
    if (!trial.inside || shape_not_asked) return unsupported(trial.outcome);
    return fail(Fault::claim, trial.with(Role::claim), std::move(evidence) + "; the claim covers this case");
  }
  // An orderly status other than a refusal breaks the rule that refuses, not the contract.
  const bool out_of_memory = std::get<Failed>(trial.outcome).out_of_memory;
  return fail(out_of_memory ? Fault::memory : Fault::failed,
              accepted_clause(trial.question, reject, std::nullopt), std::move(evidence));
}

Finding judge_open(const Trial& trial, const Unspecified& open) {
  const std::string left_open = "\n" + std::string(text_of(open.clause)) + " leaves it open";
  if (trial.came_to<Unsupported>()) return unsupported(trial.outcome);
  if (trial.came_to<Crashed>())
    return fail(Fault::crash, trial.with(Role::refuse), message_of(trial.outcome) + left_open);
  if (trial.came_to<TimedOut>())
    return fail(Fault::timeout, trial.with(Role::refuse), message_of(trial.outcome) + left_open);
  return {Verdict::inconclusive,
          Fault::none,
          {},
          what_was_given(trial.question, trial.seen, trial.outcome) + left_open};
}

// Returns true if the call ended at the unreadable memory that the rig put next to its buffers.
bool ended_at_a_guard(const Trial& trial, Fault fault) {
  const auto* crashed = trial.came_to<Crashed>();
  const bool left_a_buffer =
      fault == Fault::read_outside || fault == Fault::wrote_outside || fault == Fault::changed_input;
  return crashed != nullptr && left_a_buffer && (crashed->signal == SIGSEGV || crashed->signal == SIGBUS);
}

// Returns the first wrong element if the output can be compared, else how the call ended.
std::string what_came_out(const Trial& trial, const Expectation& expected) {
  const auto* answer = std::get_if<Answer>(&expected);
  const auto* produced = trial.came_to<Produced>();
  if (answer == nullptr || produced == nullptr || produced->outputs.size() != outputs_of(*answer))
    return message_of(trial.outcome);
  for (std::size_t index = 0; index < outputs_of(*answer); ++index) {
    const Finding finding = compare(trial, *answer, index, produced->outputs[index]);
    if (finding.verdict != Verdict::pass) return finding.words;
  }
  return {};
}

Finding find(const Trial& trial, const Expectation& expected) {
  // A question that certile could not ask proves nothing about the backend.
  if (const auto* not_asked = trial.came_to<NotAsked>())
    return {Verdict::not_run, Fault::none, {}, not_asked->why};
  const bool refusal_missed = std::holds_alternative<Reject>(expected) && trial.came_to<Produced>();
  const bool only_damage = refusal_missed || std::holds_alternative<Unspecified>(expected);
  if (const auto fault = gravest(trial.seen.rig, only_damage)) {
    std::string evidence = trial.seen.details;
    // The signal of a guard is the rig's doing, so it would say nothing about the backend.
    const std::string outcome = ended_at_a_guard(trial, *fault) ? "" : what_came_out(trial, expected);
    if (!outcome.empty()) evidence += (evidence.empty() ? "" : "\n") + outcome;
    return fail(*fault, clause_of_rig_fault(*fault, trial, expected), std::move(evidence));
  }
  if (const auto* answer = std::get_if<Answer>(&expected)) return judge_answer(trial, *answer);
  if (const auto* reject = std::get_if<Reject>(&expected)) return judge_refusal(trial, *reject);
  return judge_open(trial, std::get<Unspecified>(expected));
}

// Returns the outcome of `infer` without a shape, after which `run` was not called.
Outcome outcome_of(const Error& error) {
  switch (error.code) {
    case Error::Code::rejected:
      return Refused{error.what};
    case Error::Code::unsupported:
      return Unsupported{error.what};
    default:
      return Failed{error.code == Error::Code::out_of_memory, error.what};
  }
}

// Returns true for a type that the definition refuses: no claim covers it, because claims are cut to the
// definition's text.
bool is_refused_type(const Reject& reject) {
  return reject.role == Role::element_types || reject.role == Role::repeats_types;
}

bool is_within_limits(const Claim& claim, const Case& question, const Shape& output) {
  const auto rank = std::max(question.data.shape().size(), output.size());
  if (static_cast<std::int64_t>(rank) > promised_rank(claim, question.definition)) return false;
  const std::int64_t count = element_count(output).value();  // no larger output is expected of any backend
  if (claim.max_elements && count > *claim.max_elements) return false;
  const auto bytes = byte_size(question.data.type(), count);
  return !claim.max_bytes ||
         (bytes && *bytes <= static_cast<std::uint64_t>(std::max<std::int64_t>(*claim.max_bytes, 0)));
}

// Removes the clauses that a case exercises but that this backend's transport does not show.
void keep_what_shows(std::vector<std::string_view>& exercised, const Claim& claim, Transport transport,
                     const Case& question, const Expectation& expected) {
  // A refusal shows if `infer` and `run` agree.
  const bool refuses = std::holds_alternative<Reject>(expected);
  // Over a pipe the output has its own shape, which shows if it is the inferred one.
  const bool shows_shape = !transport.shares_memory && std::holds_alternative<Answer>(expected);
  if (transport.shares_memory && !claim.infers && !refuses) std::erase_if(exercised, proven_by_shape);
  if (!transport.shares_memory) std::erase_if(exercised, needs_shared_memory);
  if (claim.infers && !question.placement.shape_only && (refuses || shows_shape))
    exercised.push_back(text_of(clause_with(question.definition, Role::infer)));
}

}  // namespace

bool inside_claim(const Claim& claim, const Case& question, const Expectation& expected) {
  if (std::ranges::find(claim.definitions, question.definition) == claim.definitions.end()) return false;
  const bool is_required = oracle::rules_of(question.definition).data.required.contains(question.data.type());
  if (!claim.types.contains(question.data.type()) && !is_required) return false;
  const bool have_types = call_form(question.definition) != CallForm::repeats_attribute;
  if (have_types && !claim.repeats_types.contains(question.repeats.type())) return false;
  if (question.axis && !claim.repeats_types.contains(question.axis->type())) return false;
  if (const auto* answer = std::get_if<Answer>(&expected))
    return !is_beyond_memory(question) && is_within_limits(claim, question, answer->shape);
  if (const auto* open = std::get_if<Unspecified>(&expected))
    return is_within_limits(claim, question, open->shape);
  const auto rank = static_cast<std::int64_t>(question.data.shape().size());
  return rank <= promised_rank(claim, question.definition) && !is_refused_type(std::get<Reject>(expected));
}

bool has_no_elements(const Case& question, const Expectation& expected) {
  const auto* answer = std::get_if<Answer>(&expected);
  if (answer == nullptr) return false;
  return question.placement.shape_only || std::ranges::find(answer->shape, 0) != answer->shape.end();
}

std::vector<std::string_view> shown_clauses(const Question& asked, const Claim& claim, Transport transport,
                                            const Expectation& expected) {
  std::vector<std::string_view> shown = exercised_clauses(asked.question, expected, asked.cites);
  keep_what_shows(shown, claim, transport, asked.question, expected);
  return shown;
}

Amendment judge_closing(const Record& record, const Outcome& ending, std::string_view diagnostics) {
  const Fault fault = std::holds_alternative<TimedOut>(ending) ? Fault::timeout : Fault::crash;
  // [CT-CLAIM] a backend that cannot be closed is useless to its caller
  Finding finding = fail(fault, clause_with(record.definition, Role::claim),
                         message_of(ending) + "\nwhen it was closed, after this case and those before it");
  append_diagnostics(finding, diagnostics);
  return {std::move(finding), Amendment::By::closing, {record.literal}};
}

Record judge(const Question& asked, const Claim& claim, Transport transport, const Observation& seen,
             const Expectation& expected) {
  const auto* produced = std::get_if<Produced>(&seen.outcome);
  // A refusal by `infer` is the outcome, even if `run` then answers; but if a refusal is expected, `run` must
  // refuse too.
  const bool infer_had_the_last_word =
      seen.inferred && !*seen.inferred && produced != nullptr &&
      (produced->outputs.empty() || !std::holds_alternative<Reject>(expected));
  std::optional<Outcome> from_infer;
  if (infer_had_the_last_word) from_infer = outcome_of(seen.inferred->error());
  const Trial trial{asked.question,
                    seen,
                    from_infer ? *from_infer : seen.outcome,
                    inside_claim(claim, asked.question, expected),
                    claim.infers,
                    transport,
                    claim};
  Finding finding = find(trial, expected);
  if (finding.verdict == Verdict::fail && !seen.reproduces_alone) {
    finding.words =
        "it passes when it is called alone, and " +
        (seen.needed_calls.empty() ? "failed after other calls" : "fails after " + seen.needed_calls) + "\n" +
        finding.words;
    if (!has_happened(finding.fault))
      finding = fail(Fault::unsteady, trial.with(Role::steady), finding.words);
  }

  Record record;
  record.literal = asked.literal;
  record.backend = claim.name;
  record.definition = asked.question.definition;
  record.type = asked.question.data.type();
  Judgement& judged = record.judged;
  judged.exercised = shown_clauses(asked, claim, transport, expected);
  // Without an answer the case does not show if repeats are broadcast.
  if (finding.verdict == Verdict::fail && std::get_if<Produced>(&trial.outcome) == nullptr)
    std::erase(judged.exercised, text_of(trial.with(Role::no_broadcast)));
  // [CT-SELF] the count of oracle calls is unchanged, because the rig would have reported a change
  if (transport.shares_memory && finding.verdict == Verdict::pass)
    judged.exercised.push_back(text_of(trial.with(Role::self)));
  judged.vacuous = has_no_elements(asked.question, expected);
  if (finding.verdict == Verdict::fail) {
    judged.output = small_output(seen);
    append_diagnostics(finding, seen.diagnostics);
  }
  static_cast<Finding&>(judged) = std::move(finding);
  return record;
}

}  // namespace certile::conformance
