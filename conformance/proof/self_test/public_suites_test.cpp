#include "conformance/proof/self_test/public_suites.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {
namespace {

bool is_caught(const char* literal, const std::string& plugin) {
  static const std::atomic<bool> never{false};
  const auto suite = public_suite("of one case", {*parse_case(literal)});
  EXPECT_TRUE(suite) << suite.error().what;
  const auto caught = caught_by(std::array{*suite}, isolate_options(plugin), never);
  EXPECT_TRUE(caught) << caught.error().what;
  return caught && caught->front();
}

TEST(PublicSuites, HoldCasesThatTheOraclesAgreeWith) {
  const auto suites = public_suites();
  ASSERT_TRUE(suites) << suites.error().what;
  ASSERT_EQ(suites->size(), 3U);
  EXPECT_EQ((*suites)[0].name, "onnx");
  EXPECT_EQ((*suites)[0].cases.size(), 2U);
  EXPECT_EQ((*suites)[1].name, "onnxruntime");
  EXPECT_EQ((*suites)[2].name, "openvino");
}

TEST(PublicSuites, CatchWhatGivesAWrongAnswerToTheirOwnCases) {
  const std::string leaves_out_the_last = CERTILE_MUTANTS "/M125.so",
                    takes_zero_for_one = CERTILE_MUTANTS "/M09.so";
  EXPECT_TRUE(is_caught("onnx-tile-13 f32[3] x i64{2}", leaves_out_the_last));
  EXPECT_FALSE(is_caught("onnx-tile-13 f32[3] x i64{2}", takes_zero_for_one));
  EXPECT_TRUE(is_caught("onnx-tile-13 f32[3] x i64{0}", takes_zero_for_one));
  EXPECT_FALSE(is_caught("onnx-tile-13 f32[3] x i64{2}", example_plugin("libexample")));
}

TEST(PublicSuites, AreAskedOneByOneAndEachOfAFreshProcess) {
  static const std::atomic<bool> never{false};
  const auto suites = public_suites();
  ASSERT_TRUE(suites) << suites.error().what;
  const auto caught = caught_by(*suites, isolate_options(CERTILE_MUTANTS "/M09.so"), never);
  ASSERT_TRUE(caught) << caught.error().what;
  EXPECT_EQ(*caught, (std::vector<bool>{false, true, true}));
}

TEST(PublicSuites, SeeNothingBesideTheOutput) {
  if (!has_address_space_limit()) GTEST_SKIP() << "a sanitizer sees it by itself";
  EXPECT_FALSE(is_caught("onnx-tile-13 f32[3] x i64{2}", CERTILE_MUTANTS "/I01.so"));
  EXPECT_FALSE(is_caught("onnx-tile-13 f32[3] x i64{2}", CERTILE_MUTANTS "/I03.so"));
}

TEST(PublicSuites, SeeWrongShapesRefusalsAndCrashesButNoRaces) {
  Record record;
  record.judged.verdict = Verdict::fail;
  for (const Fault fault : {Fault::shape, Fault::refused, Fault::accepted, Fault::crash, Fault::elements}) {
    record.judged.fault = fault;
    EXPECT_TRUE(is_seen_by_public_suites(record)) << name(fault);
  }
  for (const Fault fault : {Fault::raced, Fault::misplaced, Fault::changed_input, Fault::wrote_outside}) {
    record.judged.fault = fault;
    EXPECT_FALSE(is_seen_by_public_suites(record)) << name(fault);
  }
}

}  // namespace
}  // namespace certile::conformance
