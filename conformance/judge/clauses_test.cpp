#include "conformance/judge/clauses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace certile {
namespace {

using Ids = std::vector<std::string_view>;

Ids exercised(const std::string& literal, const Ids& cites = {}) {
  const auto question = parse_case(literal);
  EXPECT_TRUE(question) << literal;
  const auto expected = expect(*question);
  EXPECT_TRUE(expected) << literal;
  return exercised_clauses(*question, *expected, cites);
}

bool speaks_about(const std::string& literal, std::string_view id) {
  return std::ranges::count(exercised(literal), id) == 1;
}

std::string_view due(const std::string& literal) {
  return due_clause(*parse_case(literal));
}

std::string_view charged(const std::string& literal, const Shape& seen) {
  const Case question = *parse_case(literal);
  return shape_clause(question, std::get<Answer>(*expect(question)).shape, seen);
}

TEST(ExercisedClauses, AreThoseOfThePlainestCase) {
  EXPECT_EQ(exercised("openvino-tile-1 f32[3] x i64{1}"),
            (Ids{"OV-T1-G2", "OV-T1-I1", "OV-T1-I2", "OV-T1-O1", "OV-T1-O2", "OV-T1-T1", "OV-T1-T2",
                 "CT-WRITE", "CT-BOUNDS", "CT-STATE", "CT-INPUT", "CT-ALIAS", "CT-STEADY", "CT-CLAIM"}));
}

TEST(ExercisedClauses, OfARefusalAreTheClauseThatRefusesAndTheContract) {
  EXPECT_EQ(exercised("onnx-tile-13 f32[1] x i64{-1}"), (Ids{"ONNX-T13-X3", "CT-REFUSE"}));
  EXPECT_EQ(exercised("openvino-tile-1 f32[2] x i64[]{2}"), (Ids{"OV-T1-X3", "CT-REFUSE"}));
}

TEST(ExercisedClauses, OfARefusalThatTheTextDoesNotAskForAreTheExclusionAndTheContract) {
  EXPECT_EQ(exercised("onnx-tile-13 u4[2] x i64{2}"), (Ids{"ONNX-T13-X7", "CT-REFUSE"}));
  EXPECT_EQ(exercised("openvino-tile-1 f32[2] x f32{2}"), (Ids{"OV-T1-X11", "CT-REFUSE"}));
  EXPECT_EQ(exercised("onnx-tile-1 i32[2] x i64[]{2} along i64[]{0}"), (Ids{"ONNX-T1-X8", "CT-REFUSE"}));
}

TEST(ExercisedClauses, OfAnotherLengthThanTheRankAreTwo) {
  EXPECT_EQ(exercised("onnx-tile-6 f32[1,1] x i64{2}"), (Ids{"ONNX-T6-S3", "ONNX-T6-X7", "CT-REFUSE"}));
}

TEST(ExercisedClauses, AreNoneWhereTheTextsLeaveItOpen) {
  EXPECT_EQ(exercised("openvino-tile-1 c64[2] x i64{2}"), Ids{});
  EXPECT_EQ(exercised("openvino-tile-1 f32[2] x boolean{1}"), Ids{});
}

TEST(ExercisedClauses, OfAShapeAloneAreNoneThatNeedARun) {
  EXPECT_EQ(
      exercised("onnx-tile-1 f32[65537] x i64[]{65536} along i64[]{0} @infer"),
      (Ids{"ONNX-T1-I1", "ONNX-T1-O1", "ONNX-T1-T1", "ONNX-T1-T2", "ONNX-T1-X1", "ONNX-T1-X2", "CT-CLAIM"}));
}

TEST(ExercisedClauses, IncludeThoseThatCiteTheCaseInTheirPlace) {
  const Ids with_cite = exercised("openvino-tile-1 f32[3] x i64{1}", {"OV-T1-R1e"});
  EXPECT_EQ(with_cite[1], "OV-T1-R1e");
}

TEST(ExercisedClauses, LeaveToTheDoorWhatNoCaseProves) {
  const Ids ids = exercised("openvino-tile-1 f32[3] x i64{1}", {"CT-INFER", "CT-SELF"});
  EXPECT_EQ(std::ranges::count(ids, "CT-INFER") + std::ranges::count(ids, "CT-SELF"), 0);
}

TEST(ExercisedClauses, KnowWhatIsSpecialAboutACase) {
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32[2,3] x i64{2,2,2}", "OV-T1-R1e"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 u8[4,2,3] x i64{2,2}", "OV-T1-R2"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32[3] x i8{-1}", "OV-T1-X5"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32[3] x i64{0}", "OV-T1-X4"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32[3] x i64{}", "OV-T1-X6"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32[] x i64{}", "OV-T1-X7"));
  EXPECT_FALSE(speaks_about("openvino-tile-1 f32[] x i64{}", "OV-T1-X6"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 u8[0] x u64{18446744073709551615}", "OV-T1-X9"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 u8[0,1,1] x i64{1,4611686018427387904,4611686018427387904}",
                           "OV-T1-X12"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 u8[0] x i64{1}", "OV-T1-X13"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 u4[3] x i64{1}", "OV-T1-X14"));
  EXPECT_FALSE(speaks_about("openvino-tile-1 u8[3] x i64{1}", "OV-T1-X14"));
  EXPECT_TRUE(speaks_about("onnx-tile-1 f32[2] x f32[]{2} along f32[]{-1}", "ONNX-T1-X3"));
  EXPECT_TRUE(speaks_about("onnx-tile-1 f32[2] x f32[]{0} along f32[]{-1}", "ONNX-T1-X4"));
}

TEST(ExercisedClauses, TakeBitsToBeTestedOnlyByTellingOnes) {
  EXPECT_FALSE(speaks_about("openvino-tile-1 f32[3] x i64{1}", "CT-BITS"));
  EXPECT_FALSE(speaks_about("openvino-tile-1 f32{1,2} x i64{1}", "CT-BITS"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32{0x7fa00001} x i64{1}", "CT-BITS"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32{-0} x i64{1}", "CT-BITS"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 u32{16777217} x i64{1}", "CT-BITS"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32[3] x i64{1} fill=special", "CT-BITS"));
}

TEST(ExercisedClauses, DependOnThePlacement) {
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32[3] x i64{1} @offset=4", "CT-PLACE"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32[3] x i64{1} @guard=after", "CT-PLACE"));
  EXPECT_FALSE(speaks_about("openvino-tile-1 f32[3] x i64{1}", "CT-PLACE"));
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32[3] x i64{1} @threads=2", "CT-THREADS"));
  EXPECT_FALSE(speaks_about("openvino-tile-1 f32[3] x i64{1} @threads=2", "CT-BOUNDS"));
}

TEST(ExercisedClauses, OfAClausesOwnExamplesIncludeIt) {
  for (const SpecPage& page : spec_pages())
    for (const Requirement& requirement : page.requirements) {
      if (!requirement.testable || requirement.id == "CT-INFER" || requirement.id == "CT-SELF") continue;
      bool found = false;
      for (const std::string& example : requirement.examples) {
        const Case question = parse_corpus_line(example)->question;
        const Ids ids = exercised_clauses(question, *expect(question), {});
        found = found || std::ranges::find(ids, requirement.id) != ids.end();
      }
      EXPECT_TRUE(found) << requirement.id;
    }
}

TEST(ExercisedClauses, ComeInTheOrderOfThePages) {
  for (const Operator op : all_operators()) {
    Ids order;
    for (const Requirement& requirement : spec_page(op).requirements)
      order.push_back(requirement.id);
    for (const Requirement& requirement : contract_page().requirements)
      order.push_back(requirement.id);
    for (const Requirement& requirement : spec_page(op).requirements)
      for (const std::string& example : requirement.examples) {
        const Case question = parse_corpus_line(example)->question;
        const Ids ids = exercised_clauses(question, *expect(question), {});
        const auto place = [&](std::string_view id) { return std::ranges::find(order, id) - order.begin(); };
        EXPECT_TRUE(std::ranges::is_sorted(ids, {}, place)) << example;
      }
  }
}

TEST(ProvenWithoutElements, HoldsForShapesRefusalsAndTypes) {
  EXPECT_TRUE(proven_without_elements("OV-T1-X4"));
  EXPECT_TRUE(proven_without_elements("OV-T1-T1"));
  EXPECT_TRUE(proven_without_elements("CT-REFUSE"));
  EXPECT_TRUE(proven_without_elements("CT-BOUNDS"));
  EXPECT_FALSE(proven_without_elements("OV-T1-G2"));
  EXPECT_FALSE(proven_without_elements("ONNX-T6-S2"));
  EXPECT_FALSE(proven_without_elements("CT-BITS"));
}

TEST(ProvenByShape, HoldsForWhatOnlyInferenceShows) {
  EXPECT_TRUE(proven_by_shape("ONNX-T13-O2"));
  EXPECT_FALSE(proven_by_shape("ONNX-T13-T1"));
  EXPECT_FALSE(proven_by_shape("CT-WRITE"));
}

TEST(DueClause, IsTheMostSpecialRuleThatMakesTheCallLegal) {
  EXPECT_EQ(due("openvino-tile-1 f32[3] x i64{-1}"), "OV-T1-X5");
  EXPECT_EQ(due("openvino-tile-1 f32[1] x i64{0}"), "OV-T1-X4");
  EXPECT_EQ(due("openvino-tile-1 f32[] x i64{}"), "OV-T1-X7");
  EXPECT_EQ(due("openvino-tile-1 f32[3] x i64{}"), "OV-T1-X6");
  EXPECT_EQ(due("openvino-tile-1 f32[0] x u64{18446744073709551615}"), "OV-T1-X9");
  EXPECT_EQ(due("openvino-tile-1 f32[9223372036854775807,3,0] x i64{1,1,1} @infer"), "OV-T1-X12");
  EXPECT_EQ(due("openvino-tile-1 u8[0,2] x i64{1,4611686018427387903} @infer"), "OV-T1-X9");
  EXPECT_EQ(due("openvino-tile-1 f32[0] x i64{1}"), "OV-T1-X13");
  EXPECT_EQ(due("openvino-tile-1 f32[3] x i64{1,2}"), "OV-T1-R1");
  EXPECT_EQ(due("openvino-tile-1 f32[3,3] x i64{2}"), "OV-T1-R2");
  EXPECT_EQ(due("openvino-tile-1 f32[3] x i8{2}"), "OV-T1-T2");
  EXPECT_EQ(due("openvino-tile-1 bf16[3] x i64{2}"), "OV-T1-T1");
  EXPECT_EQ(due("openvino-tile-1 f32[1,1,1,1,2] x i64{1,1,1,1,2}"), "OV-T1-I1");
  EXPECT_EQ(due("openvino-tile-1 f32[3] x i64{2}"), "OV-T1-G2");
}

TEST(DueClause, HasIdsOfItsOwnForEachOnnxOperator) {
  EXPECT_EQ(due("onnx-tile-13 f32[1] x i64{0}"), "ONNX-T13-X2");
  EXPECT_EQ(due("onnx-tile-6 f32[1] x i64{0}"), "ONNX-T6-X2");
  EXPECT_EQ(due("onnx-tile-13 f32[] x i64{}"), "ONNX-T13-X1");
  EXPECT_EQ(due("onnx-tile-6 i8[2] x i64{2}"), "ONNX-T6-T1");
  EXPECT_EQ(due("onnx-tile-1 f32[2] x f32[]{0} along f32[]{0}"), "ONNX-T1-X4");
  EXPECT_EQ(due("onnx-tile-1 f32[2] x f32[]{2} along f32[]{-1}"), "ONNX-T1-X3");
  EXPECT_EQ(due("onnx-tile-1 f32[2] x f32{2} along f32[]{0}"), "ONNX-T1-X2");
  EXPECT_EQ(due("onnx-tile-1 f32[2] x f32[]{2} along f32[]{0}"), "ONNX-T1-S1");
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
  const Case narrow = *parse_case("onnx-tile-13 f32[2] x i32{2}");
  EXPECT_EQ(accepted_clause(narrow, "ONNX-T13-T2", Shape{4}), "ONNX-T13-X7");
  const Case real = *parse_case("openvino-tile-1 f32[2] x f32{2}");
  EXPECT_EQ(accepted_clause(real, "OV-T1-T2", std::nullopt), "OV-T1-X11");
  const Case integers = *parse_case("onnx-tile-1 i32[2] x i64[]{2} along i64[]{0}");
  EXPECT_EQ(accepted_clause(integers, "ONNX-T1-T1", Shape{4}), "ONNX-T1-X8");
}

TEST(AcceptedClause, IsTheRuleOfOursThatRefuses) {
  const Case negative = *parse_case("onnx-tile-6 f32[2] x i64{-1}");
  EXPECT_EQ(accepted_clause(negative, "ONNX-T6-X3", Shape{0}), "ONNX-T6-X3");
}

TEST(AcceptedClause, IsTheTextsOwnWhereItForbidsTheResult) {
  const Case shorter = *parse_case("onnx-tile-6 f32[1,1] x i64{2}");
  EXPECT_EQ(accepted_clause(shorter, "ONNX-T6-I3", Shape{1, 2}), "ONNX-T6-S3");
  EXPECT_EQ(accepted_clause(shorter, "ONNX-T6-I3", Shape{2, 1}), "ONNX-T6-X7");
  EXPECT_EQ(accepted_clause(shorter, "ONNX-T6-I3", std::nullopt), "ONNX-T6-X7");
}

TEST(ContractClause, IsKnownForEveryFaultOfTheRig) {
  EXPECT_EQ(contract_clause(Fault::wrote_outside), "CT-BOUNDS");
  EXPECT_EQ(contract_clause(Fault::read_outside), "CT-BOUNDS");
  EXPECT_EQ(contract_clause(Fault::changed_state), "CT-STATE");
  EXPECT_EQ(contract_clause(Fault::changed_input), "CT-INPUT");
  EXPECT_EQ(contract_clause(Fault::aliased), "CT-ALIAS");
  EXPECT_EQ(contract_clause(Fault::left_unwritten), "CT-WRITE");
  EXPECT_EQ(contract_clause(Fault::unsteady), "CT-STEADY");
  EXPECT_EQ(contract_clause(Fault::misplaced), "CT-PLACE");
  EXPECT_EQ(contract_clause(Fault::raced), "CT-THREADS");
  EXPECT_EQ(contract_clause(Fault::wrote_on_refusal), "CT-REFUSE");
  EXPECT_EQ(contract_clause(Fault::called_oracle), "CT-SELF");
  EXPECT_EQ(contract_clause(Fault::claim), "CT-CLAIM");
  EXPECT_EQ(contract_clause(Fault::elements), "");
}

}  // namespace
}  // namespace certile
