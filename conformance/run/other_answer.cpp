#include "conformance/run/other_answer.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

// Each earlier call costs an answer of the oracle.
constexpr std::size_t most_calls = 256;

// A call other than the failing one, with the words for it.
struct OtherCall {
  std::string words;
  Tensor answer;
};

// An output with wrong elements, next to the expected one.
struct WrongOutput {
  const Tensor& expected;
  const Tensor& seen;
  std::size_t call;
};

std::optional<WrongOutput> wrong_output(const Judged& failing) {
  const auto* due = std::get_if<Answer>(&failing.expected);
  const auto* produced = std::get_if<Produced>(&failing.seen.outcome);
  if (due == nullptr || produced == nullptr) return std::nullopt;
  for (std::size_t call = 0; call < std::min(due->tensors.size(), produced->outputs.size()); ++call) {
    const Tensor &expected = due->tensors[call], &seen = produced->outputs[call];
    const bool is_plain = expected.type() == seen.type() && expected.type() != ElementType::string;
    if (is_plain && expected.shape() == seen.shape() && expected != seen)
      return WrongOutput{expected, seen, call};
  }
  return std::nullopt;
}

// Returns the answer to a call, if it has one of `size` bytes, or of at most `most` bytes.
std::optional<Tensor> answer_of(const Case& question, std::size_t size, std::size_t most) {
  if (question.placement.shape_only || may_have_a_large_answer(question)) return std::nullopt;
  const auto ruled = expect_shape(question);
  const auto* ruling = ruled ? std::get_if<Answer>(&*ruled) : nullptr;
  if (ruling == nullptr) return std::nullopt;
  const auto count = element_count(ruling->shape);
  const auto bytes = count ? byte_size(question.data.type(), *count) : std::nullopt;
  if (!bytes || (*bytes != size && *bytes > most)) return std::nullopt;
  const auto expected = expect(question);
  const auto* answer = expected ? std::get_if<Answer>(&*expected) : nullptr;
  if (answer == nullptr || answer->tensors.empty()) return std::nullopt;
  return answer->tensors.front();
}

// Returns the call that the rig makes next to concurrent calls: the data's axes rotated by one.
Case neighbour_of(const Case& question) {
  Case other = question;
  Shape shape = question.data.shape();
  std::rotate(shape.begin(), shape.begin() + (shape.empty() ? 0 : 1), shape.end());
  other.data = question.data.bytes().empty() ? Tensor::without_elements(question.data.type(), shape)
                                             : question.data.reshaped(shape);
  other.placement = {};
  return other;
}

// Returns "the call before it: LITERAL", or "an earlier call: LITERAL".
std::string words_for(std::span<const PlannedCase* const> calls, std::size_t index, IsNamed named) {
  const bool is_last = index + 1 == calls.size();
  if (is_last && named == IsNamed::last_call) return "the call before it";
  return (is_last ? "the call before it: " : "an earlier call: ") + calls[index]->literal;
}

std::vector<OtherCall> other_calls(const Judged& failing, const WrongOutput& wrong,
                                   std::span<const PlannedCase* const> earlier, IsNamed named) {
  // A call of another size explains a part of the output alone, and small calls suffice for that.
  constexpr std::size_t small = std::size_t{256} << 10;
  const std::size_t size = wrong.seen.bytes().size();
  std::vector<OtherCall> others;
  const auto& due = std::get<Answer>(failing.expected).tensors;
  for (std::size_t call = 0; call < due.size(); ++call)
    if (call != wrong.call) others.push_back({"another concurrent call", due[call]});
  if (due.size() > 1) {
    const Case neighbour = neighbour_of(failing.question);
    if (auto answer = answer_of(neighbour, size, small))
      others.push_back({"the call of another shape that certile makes meanwhile: " + to_string(neighbour),
                        *std::move(answer)});
  }
  const auto last = earlier.last(std::min(earlier.size(), most_calls));
  for (std::size_t index = last.size(); index-- > 0;)
    if (auto answer = answer_of(last[index]->question(), size, small))
      others.push_back({words_for(last, index, named), *std::move(answer)});
  return others;
}

// Returns calls with the data of the failing one, but with the repeats or the shape of an earlier one, and an
// answer of `size` bytes.
std::vector<OtherCall> mixed_calls(const Case& question, std::size_t size,
                                   std::span<const PlannedCase* const> earlier, IsNamed named) {
  constexpr std::size_t most = 16;
  std::vector<OtherCall> mixed;
  const auto last = earlier.last(std::min(earlier.size(), most));
  const auto add = [&](const Case& call, const char* part, std::size_t index) {
    if (call == question) return;
    if (auto answer = answer_of(call, size, 0))
      mixed.push_back({std::string("this call with the ") + part + " of " + words_for(last, index, named),
                       *std::move(answer)});
  };
  for (std::size_t index = last.size(); index-- > 0;) {
    const Case other = last[index]->question();
    if (other.definition != question.definition) continue;
    Case changed = question;
    changed.repeats = other.repeats;
    changed.axis = other.axis;
    add(changed, "repeats", index);
    if (other.data.count() != question.data.count()) continue;
    changed.data = question.data.reshaped(other.data.shape());
    add(changed, "shape and the repeats", index);
    changed.repeats = question.repeats;
    changed.axis = question.axis;
    add(changed, "shape", index);
  }
  return mixed;
}

// Returns the number of wrong bytes if all of them are those of the other answer at the same places, else 0.
std::size_t taken_from(const Tensor& other, const WrongOutput& wrong) {
  const auto seen = wrong.seen.bytes(), expected = wrong.expected.bytes(), theirs = other.bytes();
  std::size_t taken = 0;
  for (std::size_t index = 0; index < seen.size(); ++index) {
    if (seen[index] == expected[index]) continue;
    if (index >= theirs.size() || seen[index] != theirs[index]) return 0;
    ++taken;
  }
  return taken;
}

}  // namespace

OtherAnswer whose_answer(const Judged& failing, std::span<const PlannedCase* const> earlier, IsNamed named) {
  const auto wrong = wrong_output(failing);
  if (!wrong) return {};
  const std::vector<OtherCall> others = other_calls(failing, *wrong, earlier, named);
  const auto is_whole = [&](const OtherCall& other) {
    return other.answer.type() != ElementType::string &&
           std::ranges::equal(other.answer.bytes(), wrong->seen.bytes());
  };
  if (const auto other = std::ranges::find_if(others, is_whole); other != others.end())
    return {"the whole answer is that of " + other->words, true};
  const auto mixed = mixed_calls(failing.question, wrong->seen.bytes().size(), earlier, named);
  if (const auto other = std::ranges::find_if(mixed, is_whole); other != mixed.end())
    return {"the whole answer is that of " + other->words, true};
  // A few bytes are those of one of many answers by chance.
  constexpr std::size_t few_calls = 4, telling = 8;
  const std::size_t least = others.size() <= few_calls ? 1 : telling;
  for (const OtherCall& other : others)
    if (other.answer.type() != ElementType::string && taken_from(other.answer, *wrong) >= least)
      return {"what is wrong is what these bytes are in the answer to " + other.words};
  return {};
}

std::string words_for_calls(std::span<const PlannedCase* const> calls) {
  if (calls.empty()) return {};
  const std::string& last = calls.back()->literal;
  if (calls.size() == 1) return "the call " + last;
  return counted(std::ssize(calls), "call") + ", the last of which is " + last;
}

}  // namespace certile::conformance
