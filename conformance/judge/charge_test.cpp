#include "conformance/judge/charge.hpp"

#include <gtest/gtest.h>

#include <string>

namespace certile::conformance {
namespace {

std::string_view charged_without_answer(const std::string& literal) {
  return text_of(answer_clause(*parse_case(literal)));
}

std::string_view charged(const std::string& literal, const Shape& seen) {
  const Case question = *parse_case(literal);
  return text_of(shape_clause(question, std::get<Answer>(*expect(question)).shape, seen));
}

// Returns the clause that is charged if the call is accepted, and the output has this shape.
std::string_view accepted(const std::string& literal, const std::optional<Shape>& given) {
  const Case question = *parse_case(literal);
  return text_of(accepted_clause(question, std::get<Reject>(*expect(question)), given));
}

std::string_view contract(Fault fault) {
  return text_of(contract_clause(fault));
}

TEST(AnswerClause, IsTheMostSpecialRuleThatMakesTheCallLegal) {
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[3] x i64{-1}"), "OV-T1-X5");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[1] x i64{0}"), "OV-T1-X4");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[] x i64{}"), "OV-T1-X7");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[3] x i64{}"), "OV-T1-X6");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[0] x u64{18446744073709551615}"), "OV-T1-X9");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[9223372036854775807,3,0] x i64{1,1,1} @infer"),
            "OV-T1-X12");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 u8[0,2] x i64{1,4611686018427387903} @infer"),
            "OV-T1-X9");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[0] x i64{1}"), "OV-T1-X13");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[3] x i64{1,2}"), "OV-T1-R1");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[3,3] x i64{2}"), "OV-T1-R2");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[3] x i8{2}"), "OV-T1-T2");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 bf16[3] x i64{2}"), "OV-T1-T1");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[1,1,1,1,2] x i64{1,1,1,1,2}"), "OV-T1-I1");
  EXPECT_EQ(charged_without_answer("openvino-tile-1 f32[3] x i64{2}"), "OV-T1-G2");
}

TEST(AnswerClause, HasIdsOfItsOwnForEachOnnxOperator) {
  EXPECT_EQ(charged_without_answer("onnx-tile-13 f32[1] x i64{0}"), "ONNX-T13-X2");
  EXPECT_EQ(charged_without_answer("onnx-tile-6 f32[1] x i64{0}"), "ONNX-T6-X2");
  EXPECT_EQ(charged_without_answer("onnx-tile-13 f32[] x i64{}"), "ONNX-T13-X1");
  EXPECT_EQ(charged_without_answer("onnx-tile-6 i8[2] x i64{2}"), "ONNX-T6-T1");
  EXPECT_EQ(charged_without_answer("onnx-tile-1 f32[2] x f32[]{0} along f32[]{0}"), "ONNX-T1-X4");
  EXPECT_EQ(charged_without_answer("onnx-tile-1 f32[2] x f32[]{2} along f32[]{-1}"), "ONNX-T1-X3");
  EXPECT_EQ(charged_without_answer("onnx-tile-1 f32[2] x f32{2} along f32[]{0}"), "ONNX-T1-X2");
  EXPECT_EQ(charged_without_answer("onnx-tile-1 f32[2] x f32[]{2} along f32[]{0}"), "ONNX-T1-S1");
}

TEST(ShapeClause, OfPromotionOnTheWrongSideIsThePromotion) {
  EXPECT_EQ(charged("openvino-tile-1 f32[1,1] x i64{2}", {2, 1}), "OV-T1-R2");
  EXPECT_EQ(charged("openvino-tile-1 f32[2] x i64{2,2}", {4, 2}), "OV-T1-R1");
  EXPECT_EQ(charged("openvino-tile-1 f32[2] x i64{1,1}", {2, 1}), "OV-T1-R1");
  EXPECT_EQ(charged("openvino-tile-1 f32[2] x i64{0,1}", {0, 1}), "OV-T1-R1");
  EXPECT_EQ(charged("openvino-tile-1 f32[1] x i64{2,1}", {1}), "OV-T1-R1");
  EXPECT_EQ(charged("openvino-tile-1 f32[] x i64{2}", {}), "OV-T1-R1");
}

TEST(ShapeClause, OfAZeroRepeatTakenForOneIsTheZeroRepeat) {
  EXPECT_EQ(charged("openvino-tile-1 f32[1] x i64{0}", {1}), "OV-T1-X4");
  EXPECT_EQ(charged("openvino-tile-1 f32[2] x i64{0,1}", {1, 2}), "OV-T1-X4");
  EXPECT_EQ(charged("openvino-tile-1 i64[0,2,2] x u8{1,2,0}", {0, 4, 2}), "OV-T1-X4");
  EXPECT_EQ(charged("onnx-tile-13 f32[2,3] x i64{2,0}", {0, 0}), "ONNX-T13-O2");
  EXPECT_EQ(charged("onnx-tile-13 f32[0,2,2] x i64{1,2,0}", {0, 4, 2}), "ONNX-T13-O2");
  EXPECT_EQ(charged("onnx-tile-6 f32[1] x i64{0}", {1}), "ONNX-T6-O2");
  EXPECT_EQ(charged("onnx-tile-1 f32[1] x f32[]{0} along f32[]{0}", {1}), "ONNX-T1-X4");
}

TEST(ShapeClause, OfANegativeRepeatIsTheTypeWhereTheSignWasNotRead) {
  EXPECT_EQ(charged("openvino-tile-1 f32[1] x i8{-1}", {255}), "OV-T1-T2");
  EXPECT_EQ(charged("openvino-tile-1 f32[3] x i64{-1}", {-3}), "OV-T1-X5");
  EXPECT_EQ(charged("openvino-tile-1 f32[3] x i8{-128}", {384}), "OV-T1-X5");
}

TEST(ShapeClause, OfAScalarThatGainedAnAxisIsTheScalar) {
  EXPECT_EQ(charged("openvino-tile-1 f32[] x i64{}", {1}), "OV-T1-X7");
  EXPECT_EQ(charged("onnx-tile-13 f32[] x i64{}", {1}), "ONNX-T13-X1");
}

TEST(ShapeClause, OfAWrongProductIsTheProduct) {
  EXPECT_EQ(charged("openvino-tile-1 f32[1] x i64{2}", {1}), "OV-T1-G2");
  EXPECT_EQ(charged("openvino-tile-1 f32[65537] x i64{65536} @infer", {65536}), "OV-T1-G2");
  EXPECT_EQ(charged("onnx-tile-13 f32[1] x i64{4294967298} @infer", {2}), "ONNX-T13-O2");
  EXPECT_EQ(charged("onnx-tile-1 f32[2] x f32[]{2} along f32[]{0}", {5}), "ONNX-T1-X1");
}

TEST(ShapeClause, OfAWrongNumberOfCopiesIsTheTiles) {
  EXPECT_EQ(charged("onnx-tile-1 f32[2] x f32[]{2} along f32[]{0}", {2}), "ONNX-T1-I2");
  EXPECT_EQ(charged("onnx-tile-1 f32[0,3] x f32[]{2} along f32[]{1}", {0, 9}), "ONNX-T1-I2");
}

TEST(ShapeClause, OfAnotherAxisIsTheAxisAlsoBesideAZero) {
  EXPECT_EQ(charged("onnx-tile-1 f32[0,3,5] x f32[]{2} along f32[]{1}", {0, 3, 10}), "ONNX-T1-I3");
  EXPECT_EQ(charged("onnx-tile-1 f32[0,3,5] x f32[]{2} along f32[]{-2}", {0, 3, 10}), "ONNX-T1-X3");
}

TEST(ShapeClause, OfRepeatsInTheOppositeOrderIsTheFactors) {
  EXPECT_EQ(charged("openvino-tile-1 f32[2,3] x i64{5,1}", {2, 15}), "OV-T1-I2");
  EXPECT_EQ(charged("onnx-tile-13 f32[2,3] x i64{0,1}", {2, 0}), "ONNX-T13-I4");
}

TEST(ShapeClause, OfANarrowRepeatReadWithTheOtherSignIsTheTypeOfRepeats) {
  EXPECT_EQ(charged("openvino-tile-1 f32[3] x i8{-1}", {765}), "OV-T1-T2");
  EXPECT_EQ(charged("openvino-tile-1 f32[3] x u8{255}", {0}), "OV-T1-T2");
  EXPECT_EQ(charged("openvino-tile-1 f32[3] x u16{65535}", {-3}), "OV-T1-T2");
  EXPECT_EQ(charged("openvino-tile-1 f32[3] x u8{127}", {0}), "OV-T1-G2");
}

TEST(ShapeClause, OfAWrongRankIsTheRank) {
  EXPECT_EQ(charged("openvino-tile-1 f32[2,2] x i64{1,1}", {4}), "OV-T1-O1");
  EXPECT_EQ(charged("onnx-tile-6 f32[2,2] x i64{1,1}", {4}), "ONNX-T6-O1");
  EXPECT_EQ(charged("onnx-tile-1 f32[2,2] x f32[]{1} along f32[]{0}", {4}), "ONNX-T1-O1");
}

TEST(ShapeClause, OfAnotherAxisIsTheAxis) {
  EXPECT_EQ(charged("onnx-tile-1 f32[1,1] x f32[]{2} along f32[]{0}", {1, 2}), "ONNX-T1-I3");
  EXPECT_EQ(charged("onnx-tile-1 f32[1,1] x f32[]{2} along f32[]{-1}", {2, 1}), "ONNX-T1-X3");
}

TEST(AcceptedClause, IsTheExclusionWhereTheTextOnlySaysWhichCallsThereAre) {
  EXPECT_EQ(accepted("onnx-tile-13 f32[2] x i32{2}", Shape{4}), "ONNX-T13-X7");
  EXPECT_EQ(accepted("openvino-tile-1 f32[2] x f32{2}", std::nullopt), "OV-T1-X11");
  EXPECT_EQ(accepted("onnx-tile-1 i32[2] x i64[]{2} along i64[]{0}", Shape{4}), "ONNX-T1-X8");
}

TEST(AcceptedClause, IsTheRuleOfOursThatRefuses) {
  EXPECT_EQ(accepted("onnx-tile-6 f32[2] x i64{-1}", Shape{0}), "ONNX-T6-X3");
}

TEST(AcceptedClause, IsTheTextsOwnWhereItForbidsTheResult) {
  EXPECT_EQ(accepted("onnx-tile-6 f32[1,1] x i64{2}", Shape{1, 2}), "ONNX-T6-S3");
  EXPECT_EQ(accepted("onnx-tile-6 f32[1,1] x i64{2}", Shape{2, 1}), "ONNX-T6-X7");
  EXPECT_EQ(accepted("onnx-tile-6 f32[1,1] x i64{2}", std::nullopt), "ONNX-T6-X7");
}

TEST(ContractClause, IsKnownForEveryFaultOfTheRig) {
  EXPECT_EQ(contract(Fault::wrote_outside), "CT-BOUNDS");
  EXPECT_EQ(contract(Fault::read_outside), "CT-BOUNDS");
  EXPECT_EQ(contract(Fault::changed_state), "CT-STATE");
  EXPECT_EQ(contract(Fault::changed_input), "CT-INPUT");
  EXPECT_EQ(contract(Fault::aliased), "CT-ALIAS");
  EXPECT_EQ(contract(Fault::left_unwritten), "CT-WRITE");
  EXPECT_EQ(contract(Fault::unsteady), "CT-STEADY");
  EXPECT_EQ(contract(Fault::misplaced), "CT-PLACE");
  EXPECT_EQ(contract(Fault::raced), "CT-THREADS");
  EXPECT_EQ(contract(Fault::leaked), "CT-LEAK");
  EXPECT_EQ(contract(Fault::wrote_on_refusal), "CT-REFUSE");
  EXPECT_EQ(contract(Fault::called_oracle), "CT-SELF");
  EXPECT_EQ(contract(Fault::claim), "CT-CLAIM");
  EXPECT_EQ(contract(Fault::elements), "");
}

}  // namespace
}  // namespace certile::conformance
