#include "conformance/laws/try_laws.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <vector>

#include "conformance/records/record_json.hpp"
#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {
namespace {

const std::atomic<bool> nobody_interrupts{false};

Plan plan_of(const std::vector<std::string>& literals) {
  Plan plan;
  for (const std::string& literal : literals)
    plan.cases.push_back(*parse_planned_case(literal));
  return plan;
}

std::vector<Record> records_of(const std::string& spelling, const std::vector<std::string>& literals,
                               LawTally* tally = nullptr) {
  std::vector<Record> records;
  const auto tried = try_laws(plan_of(literals), {.seed = 1, .cases = 3}, isolate_options(spelling),
                              nobody_interrupts, [&](const Record& record) {
                                records.push_back(record);
                                return Result<Done>(Done{});
                              });
  EXPECT_TRUE(tried) << spelling << ": " << tried.error().what;
  if (tried && tally != nullptr) *tally = *tried;
  return records;
}

TEST(TryLaws, LeavesARightImplementationInPeace) {
  LawTally tally;
  EXPECT_TRUE(
      records_of("scalar",
                 {"openvino-tile-1 f32[2,3] x i64{2,2}", "onnx-tile-1 f32[2,3] x f32[]{2} along i64[]{-1}"},
                 &tally)
          .empty());
  EXPECT_EQ(tally.tried, 11 * 3 + 1);
  EXPECT_EQ(tally.broken, 0);
}

TEST(TryLaws, FindsWhatIsWrongBesideThePlan) {
  // The plugin gets this case right; tiling again by 2 and 3 is what it crashes on.
  const std::vector<Record> records =
      records_of(test_plugin("crash_on_repeat_three"), {"onnx-tile-13 f32[1,2] x i64{1,2}"});
  ASSERT_FALSE(records.empty());
  const Record& record = records.front();
  EXPECT_EQ(record.law, "tiling-twice");
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_EQ(record.now().fault, Fault::crash);
  EXPECT_EQ(record.now().charged, "CT-RETURN");
  EXPECT_EQ(record.reproduce(), (std::vector<std::string>{record.literal}));
  EXPECT_EQ(record.now().words.rfind("the law 'tiling twice is tiling once by the products' is broken for "
                                     "onnx-tile-13 f32[1,2] x i64{1,2}\n",
                                     0),
            0U)
      << record.now().words;
}

TEST(TryLaws, SaysNothingToAPlanOfRefusals) {
  LawTally tally;
  EXPECT_TRUE(records_of("scalar", {"onnx-tile-13 f32[2,3] x i64{2}"}, &tally).empty());
  EXPECT_EQ(tally.tried, 0);
}

TEST(TryLaws, AreNotTriedAgainAfterAHang) {
  IsolateOptions isolate = isolate_options(test_plugin("hang_on_rank_three"));
  isolate.time_limit = limit_of_hangs;
  int records = 0;
  const auto tried = try_laws(plan_of({"onnx-tile-13 f32[2,2,2] x i64{1,1,2}"}), {.seed = 1, .cases = 3},
                              isolate, nobody_interrupts, [&](const Record& record) {
                                EXPECT_EQ(record.now().fault, Fault::timeout);
                                ++records;
                                return Result<Done>(Done{});
                              });
  ASSERT_TRUE(tried) << tried.error().what;
  EXPECT_EQ(records, 1);
}

TEST(LawRecord, KeepsTheLawsName) {
  Record record;
  record.literal = "onnx-tile-13 u8[1] x i64{2}";
  record.judged.verdict = Verdict::fail;
  record.law = "periodic";
  std::string line;
  append_record_line(line, record);
  const auto read = record_from_json(Json::parse(line), RunHeader{});
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->law, "periodic");
}

TEST(LawRecord, StandsBesideThePlan) {
  RunHeader header;
  header.claim.definitions = all_definitions();
  header.planned = 1;
  Summary summary(header);
  Record record;
  record.judged.verdict = Verdict::pass;
  summary.add(record);
  record.judged.verdict = Verdict::fail;
  record.judged.charged = "CT-BITS";
  record.law = "periodic";
  summary.add(record);
  EXPECT_EQ(summary.beside_plan(), 1);
  EXPECT_EQ(summary.conformance(), Summary::Conformance::none);
  EXPECT_EQ(summary.verdict_line().find("planned cases were run"), std::string::npos)
      << summary.verdict_line();
}

}  // namespace
}  // namespace certile::conformance
