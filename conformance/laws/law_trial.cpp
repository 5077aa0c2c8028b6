#include "conformance/laws/law_trial.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "conformance/ask/observe.hpp"
#include "conformance/judge/difference.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/failure_evidence.hpp"
#include "conformance/judge/judge.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

// Returns the largest size of one answer in a reply.
std::size_t answer_bytes(const Tensor& data, const Shape& due) {
  const std::int64_t count = element_count(due).value_or(0);
  if (data.type() != ElementType::string) return byte_size(data.type(), count).value_or(0);
  std::size_t characters = 0;
  for (std::int64_t index = 0; index < data.count(); ++index)
    characters += data.string_element(index).size();
  const std::int64_t copies = data.count() == 0 ? 0 : count / data.count();
  return characters * static_cast<std::size_t>(copies) +
         static_cast<std::size_t>(count) * sizeof(std::uint64_t);
}

Request request_for(const LawCall& call) {
  constexpr std::size_t messages = 16 * 1024;
  Request request;
  request.definition = call.question.definition;
  request.placement = call.question.placement;
  request.data = call.data;
  request.repeats = call.question.repeats;
  request.axis = call.question.axis;
  request.shape_digest = shape_digest(call.due);
  request.fallback_shape = call.due;
  request.reply_limit = messages;
  for (const Tensor& data : call.data)
    request.reply_limit += 2 * answer_bytes(data, call.due);
  return request;
}

}  // namespace

LawAsker::LawAsker(Claim claim, Transport transport) : claim_(std::move(claim)), door_(transport) {
  for (const DefinitionId definition : all_definitions())
    scopes_.emplace_back(definition, claim_);
}

IsolatedLawAsker::IsolatedLawAsker(std::unique_ptr<Asker> asker, int time_limit)
    : LawAsker(asker->claim(), asker->transport()), asker_(std::move(asker)), time_limit_(time_limit) {}

Result<std::unique_ptr<IsolatedLawAsker>> IsolatedLawAsker::open(const IsolateOptions& options) {
  TRY(auto asker, open_asker(options));
  return std::unique_ptr<IsolatedLawAsker>(new IsolatedLawAsker(std::move(asker), options.time_limit));
}

void IsolatedLawAsker::set_time_limit(int milliseconds) {
  time_limit_ = milliseconds;
  asker_->set_time_limit(milliseconds);
}

Result<Observation> IsolatedLawAsker::ask(const LawCall& call) {
  const Request request = request_for(call);
  std::optional<Observation> seen;
  asker_->listen([&](RawAnswer answer) { seen = observe(call.question, request, answer, time_limit_); });
  TRY(const auto submitted, asker_->submit(request));
  if (!submitted) return Error{Error::Code::io, "no memory for the call of a law"};
  if (const auto finished = asker_->finish(); !finished) return finished.error();
  if (!seen) return Error{Error::Code::io, "the run was stopped before"};
  return *std::move(seen);
}

Case spelled_out(const LawCall& call) {
  Case question = call.question;
  const Tensor& data = call.data.front();
  question.data = Tensor::without_elements(data.type(), data.shape());
  if (question.placement.threads > 1 || data_of(question) == data) return question;
  question.fill = {};
  question.data = data;
  return question;
}

Result<Record> judged_by_oracles(const Case& call, const Observation& seen, const Claim& claim,
                                 Transport transport) {
  TRY(const auto expected, expect(call));
  const std::string literal = to_string(call);
  return judge({call, literal, {}}, claim, transport, seen, expected);
}

namespace {

// Returns why a call has no usable answer; empty if it has one.
std::string fault_of(const LawCall& call, const Observation& seen) {
  std::string words = seen.details;
  if (seen.inferred && *seen.inferred && **seen.inferred != call.due)
    words = wrong_shape("inferred", call.data.front().type(), call.due, **seen.inferred);
  if (words.empty()) words = message_of(seen.outcome);
  const auto* produced = std::get_if<Produced>(&seen.outcome);
  if (produced != nullptr && words.empty() && produced->outputs.size() != call.data.size())
    words = "no output came back";
  return words;
}

// Returns the elements, also of a case that asks for the shape alone.
Tensor elements_of(Case question) {
  question.placement = {};
  return data_of(question);
}

bool is_no_answer(const Observation& seen) {
  return std::holds_alternative<Refused>(seen.outcome) || std::holds_alternative<Unsupported>(seen.outcome);
}

}  // namespace

LawTrial::LawTrial(const Case& question, Tiling tiling, Shape output, LawAsker& asker)
    : question_(question),
      asker_(asker),
      tiling_(std::move(tiling)),
      output_(std::move(output)),
      data_(elements_of(question).reshaped(tiling_.shape)) {}

void LawTrial::break_with(std::string evidence) {
  if (word_ == LawWord::broken) return;
  word_ = LawWord::broken;
  evidence_ = std::move(evidence);
}

void LawTrial::skip() {
  if (word_ == LawWord::holds) word_ = LawWord::does_not_apply;
}

void LawTrial::demand_same(const Tensor& seen, const Tensor& right, const std::string& words) {
  if (seen.type() != right.type() || seen.shape() != right.shape())
    return break_with(words + ": " + shape_to_string(seen.type(), seen.shape()) + " and " +
                      shape_to_string(right.type(), right.shape()));
  if (const auto found = difference(right, seen))
    break_with(words + ", but " + describe(*found, right, seen));
}

std::vector<Tensor> LawTrial::ask(LawCall call) {
  if (word_ != LawWord::holds || failure_) return {};
  auto seen = asker_.ask(call);
  if (!seen) {
    failure_ = seen.error();
    return {};
  }
  std::vector<Tensor> outputs;
  const std::string fault = fault_of(call, *seen);
  if (const auto* produced = std::get_if<Produced>(&seen->outcome)) outputs = produced->outputs;
  const bool is_first = calls_.empty();
  calls_.emplace_back(std::move(call), *std::move(seen));
  if (fault.empty()) return outputs;
  // A refused case is the judge's business; a refusal of only one of two equivalent calls breaks the law.
  if (is_first && is_no_answer(calls_.back().second))
    skip();
  else
    break_with("call " + std::to_string(calls_.size()) + " of the law has no sound answer: " + fault);
  return {};
}

std::vector<Tensor> LawTrial::whole_at(const Placement& placement) {
  LawCall call{question_, {}, output_};
  call.question.placement = placement;
  for (int thread = 0; thread < placement.threads; ++thread)
    call.data.push_back(data_of(call.question, thread));
  return ask(std::move(call));
}

std::optional<Tensor> LawTrial::whole() {
  Placement placement = question_.placement;
  placement.threads = placement.calls = 1;
  placement.shape_only = false;
  auto outputs = whole_at(placement);
  if (outputs.empty()) return std::nullopt;
  return std::move(outputs.front());
}

std::optional<Tensor> LawTrial::asked_as(const Draft& draft, const Tensor& data, const Shape& due) {
  std::vector<Case> cases = scope().cases_of(draft);
  // A later zero makes only the last answer small, so the intermediate shape must fit too.
  const bool fits = tiled_shape(data.type(), {due, Shape(due.size(), 1)}).has_value();
  if (cases.size() != 1 || !fits) {
    skip();
    return std::nullopt;
  }
  auto outputs = ask({std::move(cases.front()), {data}, due});
  if (outputs.empty()) return std::nullopt;
  return std::move(outputs.front());
}

std::optional<Tensor> LawTrial::called(const Tensor& data, const Shape& repeats, const Shape& due) {
  Draft draft{.type = data.type(), .shape = data.shape(), .repeats = repeats};
  draft.placement.guard = question_.placement.guard;
  draft.placement.offset = question_.placement.offset;
  draft.placement.output_offset = question_.placement.output_offset;
  return asked_as(draft, data, due);
}

std::optional<Tensor> LawTrial::along_axis(const Tensor& data, std::size_t axis, std::int64_t tiles) {
  Shape due = data.shape();
  due[axis] *= tiles;
  Draft draft{.type = data.type(), .shape = data.shape(), .repeats = {tiles}};
  draft.axis = static_cast<std::int64_t>(axis);
  draft.placement.guard = question_.placement.guard;
  draft.placement.offset = question_.placement.offset;
  draft.placement.output_offset = question_.placement.output_offset;
  return asked_as(draft, data, due);
}

std::optional<Tensor> LawTrial::tiled(const Tensor& data, const Shape& times) {
  const auto due = tiled_shape(data.type(), {data.shape(), times});
  if (!due) skip();
  if (word_ != LawWord::holds) return std::nullopt;
  if (!has_axis(question_.definition)) return called(data, times, *due);
  std::optional<Tensor> so_far;
  for (std::size_t axis = 0; axis < times.size(); ++axis) {
    if (times[axis] == 1 && (so_far || axis + 1 < times.size())) continue;
    so_far = along_axis(so_far ? *so_far : data, axis, times[axis]);
    if (!so_far) return std::nullopt;
  }
  return so_far;
}

}  // namespace certile::conformance
