#include "conformance/records/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/testing/example_runs_test.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile::conformance {
namespace {

const std::string plain_case = "openvino-tile-1 f32[1] x i64{2}";
const std::string long_case = "openvino-tile-1 f32[7,7] x i64{2,2}";

TEST(Summary, APassProvesEveryClauseItExercises) {
  Summary summary(example_header(1));
  summary.add(example_pass(plain_case, {"OV-T1-X4", "CT-BITS"}));
  EXPECT_EQ(summary.tallies().at("OV-T1-X4").proven, 1);
  EXPECT_EQ(summary.tallies().at("CT-BITS").proven, 1);
}

TEST(Summary, AVacuousPassDoesNotProveTheContents) {
  Summary summary(example_header(1));
  Record record = example_pass("openvino-tile-1 f32[0] x i64{2}", {"OV-T1-O1", "CT-BITS"});
  record.judged.vacuous = true;
  summary.add(record);
  EXPECT_EQ(summary.vacuous(), 1);
  EXPECT_EQ(summary.tallies().at("OV-T1-O1").proven, 1);  // about the shape
  EXPECT_EQ(summary.tallies().at("CT-BITS").proven, 0);
}

TEST(Summary, AFailureProvesNothingAndIsChargedOnce) {
  Summary summary(example_header(1));
  summary.add(example_failure(plain_case, {"OV-T1-X4", "CT-BITS"}));
  EXPECT_EQ(summary.tallies().at("OV-T1-X4").violated, 1);
  EXPECT_EQ(summary.tallies().at("CT-BITS").violated, 0);
  EXPECT_EQ(summary.tallies().at("CT-BITS").proven, 0);
}

TEST(Summary, WhatWasNotRunExercisesNothing) {
  Summary summary(example_header(2));
  Record record = example_pass(plain_case, {"CT-BITS"});
  record.judged.verdict = Verdict::not_run;
  summary.add(record);
  record.judged.verdict = Verdict::unsupported;
  summary.add(record);
  EXPECT_EQ(summary.tallies().at("CT-BITS").unasked, 1);
  EXPECT_EQ(std::ranges::count(summary.not_exercised(), "CT-BITS"), 1);
  EXPECT_EQ(summary.recorded(), 2);
}

// The copy in chunks that are no multiple of its block: the shape is right, and nothing shows that it would
// be with the right elements.
TEST(Summary, WrongElementsLeaveTheExampleInDoubt) {
  Summary summary(example_header(1));
  summary.add(example_failure("openvino-tile-1 f32[2,3] x i64{2,2,2}", {"OV-T1-X4", "OV-T1-R1e"}));
  EXPECT_EQ(summary.in_doubt(), std::vector<std::string_view>{"OV-T1-R1e"});
  EXPECT_EQ(std::ranges::count(summary.not_exercised(), "OV-T1-R1e"), 0);
}

TEST(Summary, ProvesSoFarWhatACaseThatWasNotRunExercises) {
  Summary summary(example_header(2));
  summary.add(example_pass(plain_case, {"OV-T1-X4", "CT-BITS"}));
  Record record = example_pass(long_case, {"CT-BITS"});
  record.judged.verdict = Verdict::not_run;
  summary.add(record);
  EXPECT_EQ(summary.state(*find_clause("CT-BITS")), ClauseState::proven_so_far);
  EXPECT_EQ(summary.state(*find_clause("OV-T1-X4")), ClauseState::proven);
}

TEST(Summary, ProvesNothingForGoodInARunWithoutSomeOfItsRecords) {
  Summary summary(example_header(2));
  summary.add(example_pass(plain_case, {"CT-BITS"}));
  EXPECT_EQ(summary.state(*find_clause("CT-BITS")), ClauseState::proven_so_far);
  Record unknown = example_pass(long_case, {});
  unknown.judged.verdict = Verdict::not_run;
  summary.add(unknown);
  EXPECT_EQ(summary.state(*find_clause("CT-BITS")), ClauseState::proven_so_far);
}

TEST(Summary, ShowsAFailureLastWhoseHistoryNobodyKnows) {
  Summary summary(example_header(3));
  Record unknown = example_failure(plain_case, {"OV-T1-X4"});
  unknown.amendments.back().reproduce.clear();
  summary.add(unknown);
  EXPECT_EQ(summary.tallies().at("OV-T1-X4").first_failure, plain_case);
  summary.add(example_failure(long_case, {"OV-T1-X4"}));
  summary.add(unknown);
  EXPECT_EQ(summary.tallies().at("OV-T1-X4").first_failure, long_case);
}

TEST(Summary, TheFirstFailureOfAClauseIsThePlainest) {
  Summary summary(example_header(3));
  summary.add(example_failure(long_case, {"OV-T1-X4"}));
  summary.add(example_failure(plain_case, {"OV-T1-X4"}));
  summary.add(example_failure("openvino-tile-1 f32[3] x i64{2}", {"OV-T1-X4"}));
  EXPECT_EQ(summary.tallies().at("OV-T1-X4").first_failure, plain_case);
}

TEST(Summary, OfEqualElementsTheShorterLiteralIsSmallerAndThenTheOrderDecides) {
  Summary summary(example_header(3));
  summary.add(example_failure("openvino-tile-1 f32[1] x i64{2,2}", {"OV-T1-X4"}));
  summary.add(example_failure("openvino-tile-1 f32[1] x i64{3}", {"OV-T1-X4"}));
  summary.add(example_failure("openvino-tile-1 f32[1] x i64{2}", {"OV-T1-X4"}));
  EXPECT_EQ(summary.tallies().at("OV-T1-X4").first_failure, "openvino-tile-1 f32[1] x i64{2}");
}

TEST(Summary, KeepsTheFirstFailuresAndThePlainestOfEachClause) {
  Summary summary(example_header(5002));
  for (int index = 0; index < 5000; ++index)
    summary.add(example_failure(long_case, {"OV-T1-X4"}));
  summary.add(example_failure("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-X4"}));
  summary.add(example_failure(plain_case, {"OV-T1-X4"}));
  summary.add(example_failure(long_case, {"CT-BITS"}));
  ASSERT_EQ(summary.failures().size(), Summary::kept_failures + 2);
  EXPECT_EQ(summary.failures()[Summary::kept_failures].literal, plain_case);
  EXPECT_EQ(summary.failures()[Summary::kept_failures + 1].now().charged, "CT-BITS");
  EXPECT_EQ(summary.tallies().at("OV-T1-X4").violated, 5002);
}

TEST(Summary, CountsGroupsByOperatorAndType) {
  Summary summary(example_header(2));
  summary.add(example_pass(plain_case, {}));
  summary.add(example_failure(plain_case, {"OV-T1-X4"}));
  const auto& tally = summary.groups().at({openvino_tile_1, ElementType::f32});
  EXPECT_EQ(tally.pass, 1);
  EXPECT_EQ(tally.fail, 1);
}

TEST(Summary, ACopyCountsOnItsOwn) {
  Summary summary(example_header(2));
  summary.add(example_pass(plain_case, {"CT-BITS"}));
  Summary copy = summary;
  copy.add(example_pass(plain_case, {"CT-BITS"}));
  EXPECT_EQ(summary.tallies().at("CT-BITS").proven, 1);
  EXPECT_EQ(copy.tallies().at("CT-BITS").proven, 2);
  EXPECT_EQ(copy.groups().at({openvino_tile_1, ElementType::f32}).pass, 2);
}

TEST(Summary, NotExercisedAreTheTestableClausesThatNothingShowed) {
  EXPECT_TRUE(conformant_summary().not_exercised().empty());
  const Summary summary(example_header(0));
  const std::vector<std::string_view> ids = summary.not_exercised();
  EXPECT_EQ(ids.front(), "OV-T1-G2");  // OV-T1-G1 has nothing to run
  EXPECT_EQ(ids.back(), "CT-SELF");
}

TEST(Summary, IsAboutTheOperatorsBothAskedForAndClaimed) {
  RunHeader header = example_header(0);
  header.claim.definitions = {onnx_tile_1, onnx_tile_13};
  header.options.definitions = {onnx_tile_13, openvino_tile_1};
  EXPECT_EQ(Summary(header).definitions(), std::vector<DefinitionId>{onnx_tile_13});
}

}  // namespace
}  // namespace certile::conformance
