#include "conformance/run/other_answer.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace certile::conformance {
namespace {

// Returns the sentence about an answer to a case, after these earlier calls.
std::string told(const std::string& literal, const std::vector<Tensor>& seen,
                 const std::vector<std::string>& earlier) {
  std::deque<PlannedCase> cases;
  std::vector<const PlannedCase*> before;
  for (const std::string& each : earlier) {
    cases.push_back(*parse_planned_case(each));
    before.push_back(&cases.back());
  }
  const PlannedCase planned = *parse_planned_case(literal);
  Judged judged;
  judged.planned = &planned;
  judged.question = planned.question();
  judged.expected = *expect(judged.question);
  judged.seen.outcome = Produced{seen};
  return whose_answer(judged, before).words;
}

std::vector<Tensor> answers_to(const std::string& literal) {
  return std::get<Answer>(*expect(*parse_case(literal))).tensors;
}

const std::string a_call = "onnx-tile-13 i32[2] x i64{2}";

TEST(OtherAnswer, IsThatOfTheLastCallWithTheseBytes) {
  const std::string other = "onnx-tile-13 i32{7,8} x i64{2}", third = "onnx-tile-13 i32{5} x i64{1}";
  EXPECT_EQ(told(a_call, answers_to(other), {other, other}),
            "the whole answer is that of the call before it: " + other);
  EXPECT_EQ(told(a_call, answers_to(other), {other, third}),
            "the whole answer is that of an earlier call: " + other);
  EXPECT_EQ(told(a_call, answers_to(other), {third}), "");
  EXPECT_EQ(told(a_call, answers_to(a_call), {a_call}), "");
}

TEST(OtherAnswer, IsThatOfTheCallWithAnOldPlan) {
  const std::string literal = "onnx-tile-13 i32[2,2] x i64{1,2}", other = "onnx-tile-13 u8[3,1] x i64{2,1}";
  EXPECT_EQ(told(literal, {answers_to("onnx-tile-13 i32[2,2] x i64{2,1}").front().reshaped({2, 4})}, {other}),
            "the whole answer is that of this call with the repeats of the call before it: " + other);
  const std::string row = "onnx-tile-13 u8[1,4] x i64{1,2}";
  EXPECT_EQ(
      told(literal, {answers_to("onnx-tile-13 i32[1,4] x i64{1,2}").front().reshaped({2, 4})}, {row}),
      "the whole answer is that of this call with the shape and the repeats of the call before it: " + row);
}

TEST(OtherAnswer, NamesTheCallsThatAFailureNeeds) {
  const PlannedCase one = *parse_planned_case(a_call),
                    other = *parse_planned_case("onnx-tile-13 u8[1] x i64{1}");
  EXPECT_EQ(words_for_calls({}), "");
  EXPECT_EQ(words_for_calls(std::vector{&one}), "the call " + a_call);
  EXPECT_EQ(words_for_calls(std::vector{&one, &one, &other}),
            "3 calls, the last of which is onnx-tile-13 u8[1] x i64{1}");
}

TEST(OtherAnswer, MayBePartOfIt) {
  Tensor seen = answers_to(a_call).front();
  seen.set_element(3, {9, 0});
  const std::string other = "onnx-tile-13 i32{6,7,8,9,10} x i64{1}";
  EXPECT_EQ(told(a_call, {seen}, {other}),
            "what is wrong is what these bytes are in the answer to the call before it: " + other);
  seen.set_element(2, {9, 0});
  EXPECT_EQ(told(a_call, {seen}, {other}), "");
}

TEST(OtherAnswer, MayBeThatOfAConcurrentCall) {
  const std::string literal = "onnx-tile-13 u8[3,1] x i64{1,2} @threads=2";
  auto swapped = answers_to(literal);
  std::swap(swapped[0], swapped[1]);
  EXPECT_EQ(told(literal, swapped, {}), "the whole answer is that of another concurrent call");
  auto rotated = answers_to(literal);
  const Tensor row = answers_to("onnx-tile-13 u8[1,3] x i64{1,2}").front();
  rotated[0] = row.reshaped({3, 2});
  EXPECT_EQ(
      told(literal, rotated, {}),
      "the whole answer is that of the call of another shape that certile makes meanwhile: onnx-tile-13 "
      "u8[1,3] x i64{1,2}");
}

}  // namespace
}  // namespace certile::conformance
