#include "conformance/judge/expectation.hpp"

#include <gtest/gtest.h>

#include <string>

#include "reference/values/oracle_calls.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

// Returns the expectation as a line of a corpus spells it.
std::string expected(const std::string& literal) {
  const auto question = parse_case(literal);
  if (!question) return question.error().what;
  const auto answer = expect(*question);
  if (!answer) return answer.error().what;
  if (const auto* refusal = std::get_if<Reject>(&*answer))
    return "reject # " + std::string(text_of(refusal->clause));
  if (const auto* open = std::get_if<Unspecified>(&*answer))
    return "unspecified # " + std::string(text_of(open->clause)) + ", " +
           shape_to_string(question->data.type(), open->shape);
  const Answer& settled = std::get<Answer>(*answer);
  if (settled.tensors.empty()) return shape_to_string(question->data.type(), settled.shape);
  return to_string(settled.tensors.front());
}

TEST(Expectation, IsTheElementsOrTheShapeAlone) {
  EXPECT_EQ(expected("openvino-tile-1 u8{1,2} x i64{2}"), "u8{1,2,1,2}");
  EXPECT_EQ(expected("openvino-tile-1 u8{1,2} x i64{2} @infer"), "u8[4]");
  EXPECT_EQ(expected("onnx-tile-13 u8{1,2} x i64{2,1}"), "reject # ONNX-T13-I3");
}

TEST(Expectation, HasAnAnswerForEveryConcurrentCall) {
  const auto answer = expect(*parse_case("onnx-tile-13 u8[2] x i64{2} @threads=3"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(std::get<Answer>(*answer).tensors.size(), 3U);
}

TEST(Expectation, IsTheRefusalWhateverIsOpenBesides) {
  EXPECT_EQ(expected("openvino-tile-1 c64[2] x f32{2}"), "reject # OV-T1-T2");
  EXPECT_EQ(expected("openvino-tile-1 c64[2] x i64[]{2}"), "reject # OV-T1-X3");
  EXPECT_EQ(expected("openvino-tile-1 c64[3] x i64{6148914691236517206}"), "reject # OV-T1-X9");
  EXPECT_EQ(expected("openvino-tile-1 f32[2] x boolean[]{1}"), "reject # OV-T1-X3");
  EXPECT_EQ(expected("onnx-tile-13 string{0xff} x i64{2,2}"), "reject # ONNX-T13-I3");
  EXPECT_EQ(expected("onnx-tile-1 string{0xff} x i64[]{2} along i64[]{0}"), "reject # ONNX-T1-T1");
}

TEST(Expectation, SaysWhichShapeAnOpenCaseWouldHave) {
  EXPECT_EQ(expected("openvino-tile-1 c64[2] x i64{2,3}"), "unspecified # OV-T1-T1, c64[2,6]");
  EXPECT_EQ(expected("openvino-tile-1 c64[1] x i64{9223372036854775807} @infer"),
            "unspecified # OV-T1-T1, c64[9223372036854775807]");
  EXPECT_EQ(expected("openvino-tile-1 f32[2,3] x boolean{1,0}"), "unspecified # OV-T1-T2, f32[2,0]");
}

TEST(Expectation, LeavesStringsOfOnnxOpenThatAreNotUtf8) {
  EXPECT_EQ(expected("onnx-tile-13 string{\"a\",0xff} x i64{2}"), "unspecified # ONNX-T13-U1, string[4]");
  EXPECT_EQ(expected("onnx-tile-6 string{0xeda080} x i64{2}"), "unspecified # ONNX-T6-U1, string[2]");
  EXPECT_EQ(expected("openvino-tile-1 string{0xff} x i64{2}"), "string{0xff,0xff}");
  EXPECT_EQ(expected("onnx-tile-13 string{\"\\u00e9\\u0000\"} x i64{2}"),
            "string{\"\\u00e9\\u0000\",\"\\u00e9\\u0000\"}");
}

TEST(Expectation, AsksBothOraclesForShapesToo) {
  for (const char* literal :
       {"openvino-tile-1 u8[65537] x i64{65536} @infer",
        "openvino-tile-1 u8[3] x i64{6148914691236517206} @infer", "openvino-tile-1 c64[2] x i64{2}",
        "onnx-tile-13 u8[1] x i64{9223372036854775807}"}) {
    const std::uint64_t before = oracle_calls.load();
    EXPECT_NE(expected(literal), "") << literal;
    EXPECT_GT(oracle_calls.load(), before) << literal;
  }
}

TEST(Expectation, OfTheShapeAloneNeedsNoPlacementThatSaysSo) {
  const auto answer = expect_shape(*parse_case("openvino-tile-1 u8[65537] x i64{65536} @threads=2"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(std::get<Answer>(*answer).shape, (Shape{4295032832}));
  EXPECT_TRUE(std::get<Answer>(*answer).tensors.empty());
}

TEST(Expectation, RefusesWhatIsRefusedHoweverLargeTheDataIs) {
  EXPECT_EQ(expected("onnx-tile-13 u8[9223372036854775807] x i64{-1}"), "reject # ONNX-T13-X3");
  EXPECT_EQ(expected("openvino-tile-1 f32[9223372036854775807] x i64{2}"), "reject # OV-T1-X9");
}

TEST(Expectation, SaysThatAnAnswerIsTooLargeForThisMachine) {
  const auto answer = expect(*parse_case("onnx-tile-13 u8[1] x i64{9223372036854775807}"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Error::Code::out_of_memory);
}

}  // namespace
}  // namespace certile::conformance
