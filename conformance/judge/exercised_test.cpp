#include "conformance/judge/exercised.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "reference/spec/pages.hpp"

namespace certile::conformance {
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

TEST(ExercisedClauses, AreThoseOfThePlainestCase) {
  EXPECT_EQ(exercised("openvino-tile-1 f32[3] x i64{1}"),
            (Ids{"OV-T1-G2", "OV-T1-I1", "OV-T1-O1", "OV-T1-O2", "OV-T1-T1", "OV-T1-T2", "CT-WRITE",
                 "CT-BOUNDS", "CT-STATE", "CT-INPUT", "CT-ALIAS", "CT-STEADY", "CT-RETURN", "CT-CLAIM"}));
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
  EXPECT_EQ(exercised("onnx-tile-1 f32[65537] x i64[]{65536} along i64[]{0} @infer"),
            (Ids{"ONNX-T1-I1", "ONNX-T1-O1", "ONNX-T1-T1", "ONNX-T1-T2", "ONNX-T1-X1", "ONNX-T1-X2",
                 "CT-RETURN", "CT-CLAIM"}));
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
  EXPECT_TRUE(speaks_about("openvino-tile-1 f32[3] x i64{1} @calls=2", "CT-LEAK"));
  EXPECT_TRUE(speaks_about("onnx-tile-13 f32[3] x i64{-1} @calls=2", "CT-LEAK"));
  EXPECT_FALSE(speaks_about("openvino-tile-1 f32[3] x i64{1}", "CT-LEAK"));
  EXPECT_FALSE(speaks_about("openvino-tile-1 f32[3] x i64{1} @threads=2", "CT-BOUNDS"));
}

TEST(ExercisedClauses, OfAClausesOwnExamplesIncludeIt) {
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses) {
      if (!clause.testable || clause.id == "CT-INFER" || clause.id == "CT-SELF") continue;
      bool found = false;
      for (const std::string& example : clause.examples) {
        const Case question = parse_corpus_line(example)->question;
        const Ids ids = exercised_clauses(question, *expect(question), {});
        found = found || std::ranges::find(ids, clause.id) != ids.end();
      }
      EXPECT_TRUE(found) << clause.id;
    }
}

TEST(ExercisedClauses, ComeInTheOrderOfThePages) {
  for (const DefinitionId definition : all_definitions()) {
    Ids order;
    for (const Clause& clause : page_of(definition).clauses)
      order.push_back(clause.id);
    for (const Clause& clause : contract_page().clauses)
      order.push_back(clause.id);
    for (const Clause& clause : page_of(definition).clauses)
      for (const std::string& example : clause.examples) {
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

}  // namespace
}  // namespace certile::conformance
