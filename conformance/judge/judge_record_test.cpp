#include "conformance/judge/judge_test.hpp"
#include "reference/values/definitions_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

namespace certile::conformance {
namespace {

bool inside(const std::string& literal, const Claim& claim) {
  return inside_claim(claim, *parse_case(literal), expected_of(literal));
}

std::ptrdiff_t times_exercised(std::string_view clause, const std::string& literal, const Claim& claim,
                               const Observation& seen, Transport transport = shared_memory) {
  return std::ranges::count(judged(literal, seen, claim, transport).judged.exercised, clause);
}

TEST(JudgeRecords, SayNothingOfTheSignalOfAGuard) {
  Observation seen = ended(Crashed{SIGSEGV, 0, "in run"});
  seen.rig = {Fault::read_outside};
  seen.details = "read 1 byte past the end of the data";
  EXPECT_EQ(judged(legal, seen).now().words, "read 1 byte past the end of the data");
  seen.outcome = Crashed{SIGABRT, 0, "in run"};
  EXPECT_EQ(judged(legal, seen).now().words,
            "read 1 byte past the end of the data\ncrashed with signal 6 (SIGABRT): in run");
}

TEST(JudgeClaims, KnowsTheLimits) {
  Claim claim = whole_claim();
  claim.max_rank = 2;
  EXPECT_TRUE(inside("openvino-tile-1 f32[1,1] x i64{1}", claim));
  EXPECT_FALSE(inside("openvino-tile-1 f32[1,1] x i64{1,1,1}", claim));
  claim = whole_claim();
  claim.max_elements = 4;
  EXPECT_TRUE(inside(legal, claim));
  EXPECT_FALSE(inside("openvino-tile-1 f32[2] x i64{3}", claim));
  claim = whole_claim();
  claim.max_bytes = 16;
  EXPECT_TRUE(inside(legal, claim));
  EXPECT_FALSE(inside(beyond_claim, claim));
  claim = whole_claim();
  claim.repeats_types = {ElementType::i32};
  EXPECT_FALSE(inside(legal, claim));
  claim = whole_claim();
  claim.definitions = {onnx_tile_6};
  EXPECT_FALSE(inside(legal, claim));
}

TEST(JudgeClaims, KnowsLimitsOfNothing) {
  Claim claim = whole_claim();
  claim.max_rank = 0;
  EXPECT_TRUE(inside("openvino-tile-1 f32[] x i64{}", claim));
  EXPECT_FALSE(inside("openvino-tile-1 f32[1] x i64{1}", claim));
  EXPECT_TRUE(inside("onnx-tile-13 f32[] x i64{1}", claim));
  EXPECT_FALSE(inside("onnx-tile-13 f32[1] x i64{-1}", claim));
  claim = whole_claim();
  claim.max_bytes = 0;
  EXPECT_TRUE(inside("openvino-tile-1 u8[1] x i64{0}", claim));
  EXPECT_FALSE(inside("openvino-tile-1 u8[1] x i64{1}", claim));
}

TEST(JudgeClaims, KnowsTheRankOfWhatMustBeRefused) {
  Claim claim = whole_claim();
  claim.max_rank = 1;
  EXPECT_TRUE(inside("onnx-tile-13 f32[1] x i64{-1}", claim));
  EXPECT_FALSE(inside("onnx-tile-13 f32[1,1] x i64{1,-1}", claim));
}

TEST(JudgeClaims, KnowsTheTypeOfAnAxis) {
  const std::string literal = "onnx-tile-1 f32[2,3] x f32[]{4} along i64[]{0}";
  Claim claim = whole_claim();
  claim.repeats_types = {ElementType::f32};
  EXPECT_FALSE(inside(literal, claim));
  claim.repeats_types = {ElementType::f32, ElementType::i64};
  EXPECT_TRUE(inside(literal, claim));
}

TEST(JudgeRecords, SayWhatTheyAreAbout) {
  const Record record = judged(legal, right_answer(legal));
  EXPECT_EQ(record.literal, legal);
  EXPECT_EQ(record.backend, "mine");
  EXPECT_EQ(record.definition, openvino_tile_1);
  EXPECT_EQ(record.type, ElementType::f32);
  EXPECT_FALSE(record.is_vacuous());
  EXPECT_EQ(record.now().words, "");
  const std::string other = "onnx-tile-6 f64[2] x i64{2}";
  EXPECT_EQ(judged(other, right_answer(other)).definition, onnx_tile_6);
  EXPECT_EQ(judged(other, right_answer(other)).type, ElementType::f64);
}

TEST(JudgeRecords, NameWhatShowsInTheSameProcess) {
  EXPECT_EQ(times_exercised("CT-BOUNDS", legal, whole_claim(), right_answer(legal)), 1);
  EXPECT_EQ(times_exercised("CT-INFER", legal, whole_claim(), right_answer(legal)), 0);
}

TEST(JudgeRecords, NameWhatShowsOfAWorker) {
  EXPECT_EQ(times_exercised("CT-BOUNDS", legal, whole_claim(), right_answer(legal), message_pipe), 0);
  EXPECT_EQ(times_exercised("CT-INFER", legal, whole_claim(), right_answer(legal), message_pipe), 1);
  EXPECT_EQ(times_exercised("CT-INFER", illegal, whole_claim(), ended(Refused{"no"}), message_pipe), 1);
  EXPECT_EQ(times_exercised("CT-INFER", illegal, whole_claim(), ended(Refused{"no"})), 1);
  EXPECT_EQ(times_exercised("CT-INFER", legal + " @infer", whole_claim(), right_answer(legal), message_pipe),
            0);
  Claim bare = whole_claim();
  bare.infers = false;
  EXPECT_EQ(times_exercised("CT-INFER", legal, bare, right_answer(legal), message_pipe), 0);
}

TEST(JudgeRecords, BecomeFailuresWhereTheBackendCannotBeClosed) {
  Record record = judged("openvino-tile-1 f32[2] x i64{0}", gave("f32[0]"));
  ASSERT_TRUE(record.is_vacuous());
  record.amendments.push_back(judge_closing(record, Crashed{11, 0, "in destroy"}, "goodbye\n"));
  EXPECT_EQ(record.judged.verdict, Verdict::pass);
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_EQ(record.now().fault, Fault::crash);
  EXPECT_EQ(record.now().charged, "CT-CLAIM");
  EXPECT_FALSE(record.is_vacuous());
  EXPECT_EQ(record.now().words,
            "crashed with signal 11 (SIGSEGV): in destroy\nwhen it was closed, after this case and those "
            "before it\nit printed: goodbye");
  EXPECT_EQ(record.reproduce(), std::vector<std::string>{record.literal});
  EXPECT_EQ(judge_closing(record, TimedOut{10}, "").fault, Fault::timeout);
}

TEST(JudgeRecords, CountPassesWithoutElementsApart) {
  EXPECT_TRUE(judged("openvino-tile-1 f32[2,3] x i64{2,0}", gave("f32[4,0]")).is_vacuous());
  EXPECT_FALSE(judged(illegal, ended(Refused{""})).is_vacuous());
}

TEST(JudgeRecords, MakeTheWordsOfABackendPrintable) {
  Observation seen = ended(Refused{"no\x1b[2J"});
  seen.diagnostics = "line one\nline two\n";
  EXPECT_EQ(judged(legal, seen).now().words,
            "refused: no\\x1b[2J\nexpected f32[4]\nit printed:\n  line one\n  line two");
}

TEST(JudgeRecords, ShowAMessageOfSeveralLinesAsLines) {
  EXPECT_EQ(judged(legal, ended(Failed{false, "KeyError: 'missing'\nmine.py:7, in tile: table[name]\n"}))
                .now()
                .words,
            "failed: KeyError: 'missing'\n  mine.py:7, in tile: table[name]\nexpected f32[4]");
}

TEST(JudgeRecords, ExplainWhatWasDue) {
  EXPECT_EQ(judged(legal, ended(Crashed{11, 0, "in infer"})).now().words,
            "crashed with signal 11 (SIGSEGV): in infer\nexpected f32[4]");
  EXPECT_EQ(judged(legal, ended(Crashed{0, 3, ""})).now().words,
            "ended its process with exit code 3\nexpected f32[4]");
  EXPECT_EQ(judged(illegal, gave("f32[0]")).now().words,
            "gave f32[0]; a refusal is expected: repeat -1 is negative");
  EXPECT_EQ(judged(legal, ended(TimedOut{10000})).now().words,
            "gave no answer within 10000 ms\nexpected f32[4]");
}

}  // namespace
}  // namespace certile::conformance
