#include "bench/run/suite.hpp"

#include <gtest/gtest.h>

namespace certile::bench {
namespace {

std::string complaint(std::string_view text) {
  const auto suite = parse_suite("mine", text);
  return suite ? "" : suite.error().what;
}

TEST(Suite, ReadsLiteralRegimeAndWords) {
  const auto suite = parse_suite("mine",
                                 "# a comment\n\n"
                                 "onnx-tile-13 f32[2,3] x i64{2,2}   # mixed: seen: somewhere\n");
  ASSERT_TRUE(suite);
  ASSERT_EQ(suite->cases.size(), 1u);
  EXPECT_EQ(to_string(suite->cases[0].question), "onnx-tile-13 f32[2,3] x i64{2,2}");
  EXPECT_EQ(suite->cases[0].regime, "mixed");
  EXPECT_EQ(suite->cases[0].words, "seen: somewhere");
}

TEST(Suite, ALineWithoutARegimeGetsTheOneOfItsShape) {
  const auto suite = parse_suite("mine", "onnx-tile-13 f32[1000] x i64{100} # no such word here");
  ASSERT_TRUE(suite);
  EXPECT_EQ(suite->cases[0].regime, "whole");
  EXPECT_EQ(suite->cases[0].words, "no such word here");
}

TEST(Suite, NamesTheLineThatIsNoCase) {
  EXPECT_EQ(complaint("onnx-tile-13 f32[2] x i64{2}\nnonsense\n").substr(0, 7), "mine:2:");
}

TEST(Suite, RefusesWhatTheOperatorRefuses) {
  EXPECT_NE(complaint("onnx-tile-13 f32[2,3] x i64{2}").find("nothing to time"), std::string::npos);
}

TEST(Suite, RefusesAnOutputWithoutElements) {
  EXPECT_NE(complaint("onnx-tile-13 f32[2] x i64{0}").find("no elements"), std::string::npos);
}

TEST(Suite, RefusesACaseThatSaysWhereItsBuffersLie) {
  EXPECT_NE(complaint("onnx-tile-13 f32[2] x i64{2} @guard=after").find("where its buffers lie"),
            std::string::npos);
}

TEST(Suite, RefusesASuiteWithoutCases) {
  EXPECT_EQ(complaint("# nothing\n"), "the suite mine has no case in it");
}

TEST(Suite, EveryBuiltInOneCanBeRead) {
  for (const std::string& name : built_in_suites()) {
    const auto suite = load_suite(name);
    EXPECT_TRUE(suite) << name << ": " << (suite ? "" : suite.error().what);
  }
}

TEST(Suite, TheRegimesOfTheBuiltInOnesAreThoseOfTheirShapes) {
  for (const std::string& name : built_in_suites()) {
    const auto suite = load_suite(name);
    for (const TimedCase& each : suite->cases) {
      const std::string literal = to_string(each.question);
      EXPECT_EQ(each.regime, case_to_time(literal)->regime) << literal;
    }
  }
}

TEST(Suite, AnUnknownNameIsToldWhatThereIs) {
  const auto suite = load_suite("nope");
  ASSERT_FALSE(suite);
  EXPECT_NE(suite.error().what.find("there is no suite 'nope'; there are"), std::string::npos);
  EXPECT_NE(suite.error().what.find("workloads"), std::string::npos);
}

TEST(Suite, AFileThatCannotBeReadIsNamed) {
  const auto suite = load_suite("./no/such/file.tile");
  ASSERT_FALSE(suite);
  EXPECT_NE(suite.error().what.find("./no/such/file.tile"), std::string::npos);
}

}  // namespace
}  // namespace certile::bench
