#include "conformance/judge/expectation.hpp"

#include <unistd.h>

#include <new>
#include <optional>
#include <string>
#include <utility>

#include "conformance/judge/case_traits.hpp"
#include "reference/oracle/open_case.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/second/tile_by_copies.hpp"

namespace certile {
namespace {

// Half of this machine's memory, in bytes: an oracle that fills more would drive out everything else.
double most_bytes() {
  static const double half =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 2;
  return half;
}

Error too_large() {
  return {Error::Code::out_of_memory, "the data and the answer are too large for this machine's memory"};
}

double bytes_of(ElementType type, const Shape& shape) {
  const auto count = element_count(shape);
  return count ? static_cast<double>(*count) * bits(type) / 8 : most_bytes();
}

// True where data, answer and second answer of every concurrent call would not fit.
bool is_too_large(const Case& question) {
  if (is_small(question)) return false;
  const double data = bytes_of(question.data.type, question.data.shape);
  const auto shape = output_shape(make_shape_call(question).call());
  const double output = shape ? bytes_of(question.data.type, *shape) : 0;
  return (data + 2 * output) * question.placement.threads > most_bytes();
}

Error disagreement(const Case& question) {
  return {Error::Code::backend_failed, "the two oracles disagree about " + to_string(question)};
}

Reject reject(const Error& refusal) {
  return {refusal.requirement, refusal.what};
}

bool is_refusal(const Error& error) {
  return error.code == Error::Code::rejected;
}

// One concurrent call, answered by both oracles; a refusal is the first one's.
Result<Tensor> ask_both(const Case& question, const CallTensors& tensors) {
  auto answer = tile(tensors);
  if (!answer && !is_refusal(answer.error())) return answer;
  const auto second = tile_by_copies(tensors);
  if (!second && !is_refusal(second.error())) return second.error();
  const bool agree = answer ? second && *answer == *second : !second;
  if (!agree) return disagreement(question);
  return answer;
}

// These compare the shapes of both oracles as well, so nothing else has to.
Result<Expectation> expect_elements(const Case& question) {
  Answer expected;
  for (int thread = 0; thread < question.placement.threads; ++thread) {
    auto answer = ask_both(question, make_call(question, thread));
    if (!answer && is_refusal(answer.error())) return Expectation(reject(answer.error()));
    if (!answer) return answer.error();
    expected.shape = answer->shape();
    expected.tensors.push_back(*std::move(answer));
  }
  return Expectation(std::move(expected));
}

}  // namespace

bool is_small(const Case& question) {
  constexpr double small_bytes = 0x1p24;
  const long double estimate = traits_of(question).elements * bits(question.data.type) / 8;
  return estimate * question.placement.threads < small_bytes;
}

Result<Expectation> expect_shape(const Case& question) {
  const CallTensors tensors = make_shape_call(question);
  auto shape = output_shape(tensors.call());
  const auto second = shape_by_copies(tensors);
  const bool agree = shape ? second && *shape == *second : !second;
  if (!agree) return disagreement(question);
  // A refusal comes first: it depends on nothing that is open.
  if (!shape) return Expectation(reject(shape.error()));
  if (const auto clause = left_open(question))
    return Expectation(Unspecified{std::string(*clause), *std::move(shape)});
  return Expectation(Answer{*std::move(shape), {}});
}

Result<Expectation> expect(const Case& question) {
  if (question.placement.shape_only || left_open(question)) return expect_shape(question);
  if (is_too_large(question)) {
    auto expected = expect_shape(question);
    const bool has_answer = expected && std::holds_alternative<Answer>(*expected);
    return has_answer ? too_large() : std::move(expected);
  }
  try {
    return expect_elements(question);
  } catch (const std::bad_alloc&) {
    return too_large();
  }
}

}  // namespace certile
