#include "conformance/laws/law_asker.hpp"

#include <optional>
#include <utility>

#include "conformance/ask/observe.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/judge.hpp"
#include "reference/values/fill.hpp"

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

LawAsker::LawAsker(Claim claim, Door door) : claim_(std::move(claim)), door_(door) {
  for (const DefinitionId definition : all_definitions())
    scopes_.emplace_back(definition, claim_);
}

IsolatedLawAsker::IsolatedLawAsker(std::unique_ptr<Asker> asker, int time_limit)
    : LawAsker(asker->claim(), asker->door()), asker_(std::move(asker)), time_limit_(time_limit) {}

Result<std::unique_ptr<IsolatedLawAsker>> IsolatedLawAsker::open(const IsolateOptions& options) {
  auto asker = open_asker(options);
  if (!asker) return asker.error();
  return std::unique_ptr<IsolatedLawAsker>(new IsolatedLawAsker(*std::move(asker), options.time_limit));
}

void IsolatedLawAsker::set_time_limit(int milliseconds) {
  time_limit_ = milliseconds;
  asker_->set_time_limit(milliseconds);
}

Result<Observation> IsolatedLawAsker::ask(const LawCall& call) {
  const Request request = request_for(call);
  std::optional<Observation> seen;
  asker_->listen([&](RawAnswer answer) { seen = observe(call.question, request, answer, time_limit_); });
  const auto submitted = asker_->submit(request);
  if (!submitted) return submitted.error();
  if (!*submitted) return Error{Error::Code::io, "no memory for the call of a law"};
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

Result<Record> judged_by_oracles(const Case& call, const Observation& seen, const Claim& claim, Door door) {
  const auto expected = expect(call);
  if (!expected) return expected.error();
  const std::string literal = to_string(call);
  return judge({call, literal, {}}, claim, door, seen, *expected);
}

}  // namespace certile::conformance
