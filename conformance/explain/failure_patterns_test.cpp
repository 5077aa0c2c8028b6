#include "conformance/explain/failure_patterns.hpp"

#include <gtest/gtest.h>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {
namespace {

// Returns the words for a backend that fails exactly the cases with that property, of rows of 1 to 40
// elements of two types, repeated 1 to 9 times.
std::string pattern_of(bool (*fails)(std::int64_t row, std::int64_t repeat, std::string_view type)) {
  FailurePatterns patterns;
  for (const std::string type : {"u8", "f32"})
    for (std::int64_t row = 1; row <= 40; ++row)
      for (std::int64_t repeat = 1; repeat <= 9; ++repeat) {
        const std::string literal =
            "openvino-tile-1 " + type + "[" + std::to_string(row) + "] x i64{" + std::to_string(repeat) + "}";
        patterns.add(fails(row, repeat, type) ? example_failure(literal, {"OV-T1-X1", "CT-WRITE"})
                                              : example_pass(literal, {"OV-T1-X1", "CT-WRITE"}));
      }
  return patterns.of("OV-T1-X1").words;
}

TEST(FailurePatterns, FindTheBoundFromWhichOnCasesFail) {
  EXPECT_EQ(pattern_of([](std::int64_t, std::int64_t repeat, std::string_view) { return repeat > 6; }),
            "a repeat is 7 or more");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view type) {
              return row * (type == "f32" ? 4 : 1) > 32;
            }),
            "rows have 33 bytes or more");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view) { return row < 5; }),
            "rows have 4 elements or fewer");
}

TEST(FailurePatterns, FindATraitThatAllFailuresHave) {
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view type) {
              return row * (type == "f32" ? 4 : 1) % 16 != 0;
            }),
            "the size of a row is no multiple of 16 bytes");
  EXPECT_EQ(pattern_of([](std::int64_t, std::int64_t repeat, std::string_view) {
              return repeat % 2 == 1 && repeat > 1;
            }),
            "a repeat is 3 or more and is odd");
}

// Returns what cases of 1 to 8 axes have in common that fail by three clauses in turn.
std::string cause_of(bool (*fails)(int axes, int repeat)) {
  FailurePatterns patterns;
  const std::vector<std::string> clauses{"ONNX-T13-S1", "ONNX-T13-O2", "CT-CLAIM"};
  std::string shape = "[7";
  for (int axes = 1; axes <= 8; ++axes, shape += ",1")
    for (int repeat = 1; repeat <= 9; ++repeat) {
      std::string literal = "onnx-tile-13 u8" + shape + "] x i64{" + std::to_string(repeat);
      for (int axis = 1; axis < axes; ++axis)
        literal += ",1";
      literal += "}";
      const std::string& clause = clauses[static_cast<std::size_t>(repeat) % clauses.size()];
      patterns.add(fails(axes, repeat) ? example_failure(literal, {clause, "CT-WRITE"})
                                       : example_pass(literal, {clause, "CT-WRITE"}));
    }
  return patterns.one_cause();
}

TEST(FailurePatterns, OneLimitThatBreaksManyClausesIsOneCause) {
  EXPECT_EQ(cause_of([](int axes, int) { return axes > 4; }),
            "one cause? all failures of these 3 clauses are calls where the data have 5 axes or more, and no "
            "such call passed\n");
  EXPECT_EQ(cause_of([](int axes, int repeat) { return axes > 4 && repeat != 4; }), "") << "some pass";
  EXPECT_EQ(cause_of([](int axes, int repeat) { return axes > 4 && repeat % 3 == 0; }), "") << "one clause";
}

// The kernel leaves the end of a block unwritten if the block has more than 64 bytes and is no multiple
// of 16. Two blocks that meet one condition each are right.
TEST(FailurePatterns, JoinConditionsThatOneBlockMeets) {
  const auto is_bad = [](int bytes) { return bytes > 64 && bytes % 16 != 0; };
  FailurePatterns patterns;
  for (const int rows : {1, 2, 3, 8})
    for (int columns = 1; columns <= 40; ++columns)
      for (const int outer : {1, 2}) {
        const std::string literal = "onnx-tile-13 f32[" + std::to_string(rows) + "," +
                                    std::to_string(columns) + "] x i64{" + std::to_string(outer) + ",2}";
        const bool fails = is_bad(4 * columns) || (outer == 2 && is_bad(8 * rows * columns));
        patterns.add(fails ? example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"})
                           : example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"}));
      }
  const FailurePattern found = patterns.of("ONNX-T13-S1");
  EXPECT_EQ(
      found.words,
      "a block that is copied along an axis has 68 bytes or more and its size is no multiple of 16 bytes");
  EXPECT_TRUE(found.passes.empty());
}

TEST(FailurePatterns, FindARemainder) {
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view type) {
              return row * (type == "f32" ? 4 : 1) % 16 >= 8;
            }),
            "the size of a row is 8 to 15 bytes more than a multiple of 16");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t repeat, std::string_view) {
              return row * repeat % 8 == 3;
            }),
            "the number of elements of the output is 3 more than a multiple of 8");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view) { return row % 2 == 0; }),
            "the number of elements of a row is even");
}

// The blocks of one case have several sizes, one for each axis.
TEST(FailurePatterns, FindTheRemainderThatABlockOfEachFailureHas) {
  FailurePatterns patterns;
  for (int rows = 1; rows < 12; ++rows)
    for (int row = 1; row < 40; ++row) {
      const std::string literal =
          "onnx-tile-13 u8[" + std::to_string(rows) + "," + std::to_string(row) + "] x i64{2,2}";
      patterns.add(row % 16 == 3 || rows * row * 2 % 16 == 3
                       ? example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"})
                       : example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"}));
    }
  EXPECT_TRUE(
      patterns.of("ONNX-T13-S1").words.starts_with("the size of a row is 3 bytes more than a multiple of 16"))
      << patterns.of("ONNX-T13-S1").words;
  FailurePatterns axes;
  for (int rows = 1; rows < 20; ++rows)
    for (int row = 1; row < 20; ++row) {
      const std::string literal =
          "onnx-tile-13 u8[" + std::to_string(rows) + "," + std::to_string(row) + "] x i64{2,1}";
      const std::string other =
          "onnx-tile-13 u8[" + std::to_string(rows) + "," + std::to_string(row) + "] x i64{1,2}";
      axes.add(rows * row % 32 == 3 ? example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"})
                                    : example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"}));
      axes.add(row % 32 == 3 ? example_failure(other, {"ONNX-T13-S1", "CT-WRITE"})
                             : example_pass(other, {"ONNX-T13-S1", "CT-WRITE"}));
    }
  EXPECT_EQ(axes.of("ONNX-T13-S1").words,
            "the size of a block that is copied along an axis is 3 bytes more than a multiple of 32");
}

TEST(FailurePatterns, FindTheNumberOfAxesThatAreRepeated) {
  FailurePatterns patterns;
  for (int first = 1; first < 5; ++first)
    for (int second = 1; second < 5; ++second)
      for (int row = 1; row < 5; ++row) {
        const std::string literal = "onnx-tile-13 u8[2," + std::to_string(row) + "] x i64{" +
                                    std::to_string(first) + "," + std::to_string(second) + "}";
        patterns.add(first > 1 && second > 1 ? example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"})
                                             : example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"}));
      }
  EXPECT_EQ(patterns.of("ONNX-T13-S1").words, "the number of axes that are repeated is 2");
}

TEST(FailurePatterns, FindTwoConditionsOfWhichNeitherSuffices) {
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t repeat, std::string_view) {
              return row % 8 == 0 && repeat > 4;
            }),
            "a repeat is 5 or more and the number of elements of a row is a multiple of 8");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view type) {
              return type == "f32" && row > 20;
            }),
            "rows have 84 bytes or more");
}

// Of repeats along rows, 256 pass.  To say as well that the output has many rows would say nothing new.
TEST(FailurePatterns, NameTheAxisWhoseRepeatMattersInOneCondition) {
  FailurePatterns patterns;
  for (const int before : {1, 2, 255, 256, 300})
    for (const int last : {1, 2, 255, 256, 300})
      for (const int row : {2, 3, 5}) {
        const std::string literal = "onnx-tile-13 u8[3," + std::to_string(row) + "] x i64{" +
                                    std::to_string(before) + "," + std::to_string(last) + "}";
        patterns.add(before >= 256 ? example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"})
                                   : example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"}));
      }
  EXPECT_EQ(patterns.of("ONNX-T13-S1").words, "a repeat of an axis before the last is 256 or more");
}

TEST(FailurePatterns, SayNothingThatMostPassesShare) {
  EXPECT_EQ(pattern_of([](std::int64_t, std::int64_t, std::string_view) { return true; }), "");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t repeat, std::string_view) {
              return (row * 7 + repeat) % 5 == 0;
            }),
            "");
}

TEST(FailurePatterns, SayNothingOfFailuresThatNeedEarlierCalls) {
  for (const Fault fault : {Fault::elements, Fault::unsteady}) {
    FailurePatterns patterns;
    for (int row = 1; row <= 40; ++row) {
      const std::string literal = "openvino-tile-1 u8[" + std::to_string(row) + "] x i64{2}";
      Record record = row < 30 ? example_pass(literal, {"CT-STEADY", "CT-WRITE"})
                               : example_failure(literal, {"CT-STEADY", "CT-WRITE"});
      if (row >= 30)
        record.amendments.push_back({{Verdict::fail, fault, "CT-STEADY", "wrong"}, Amendment::By::diagnosis});
      patterns.add(record);
    }
    EXPECT_EQ(patterns.of("CT-STEADY").words, fault == Fault::unsteady ? "" : "rows have 30 bytes or more");
  }
}

TEST(FailurePatterns, NameTheBufferThatIsNotAligned) {
  FailurePatterns patterns;
  for (int row = 2; row < 40; ++row)
    for (const std::string placement : {"", " @offset=4,output=0", " @offset=4", " @output=4"}) {
      const std::string literal = "onnx-tile-13 f32[2," + std::to_string(row) + "] x i64{1,2}" + placement;
      const bool fails = placement == " @offset=4" || placement == " @output=4";
      patterns.add(fails ? example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"})
                         : example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"}));
    }
  EXPECT_EQ(patterns.of("ONNX-T13-S1").words, "the output is not aligned");
}

TEST(FailurePatterns, SayNothingOfTwoFailures) {
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t repeat, std::string_view type) {
              return row == 40 && repeat == 9 && (type == "u8" || type == "f32");
            }),
            "");
}

TEST(FailurePatterns, AreALineThatSaysWhetherFreshCasesWereAsked) {
  EXPECT_EQ(FailurePatterns::line_of({}), "");
  EXPECT_EQ(FailurePatterns::line_of({"a repeat is odd"}),
            "      in this run the clause fails only where a repeat is odd\n");
  EXPECT_EQ(
      FailurePatterns::line_of({"a repeat is odd", 2}),
      "      in the cases asked the clause fails only where a repeat is odd; 2 more cases outside these "
      "conditions were asked, and passed\n");
  EXPECT_EQ(FailurePatterns::line_of({"a repeat is odd", 0, {"onnx-tile-13 u8[2] x i64{3}"}}),
            "      in this run the clause fails only where a repeat is odd\n"
            "      not all such cases fail; these pass: onnx-tile-13 u8[2] x i64{3}\n");
  EXPECT_EQ(FailurePatterns::line_of({"", 0, {"onnx-tile-13 u8[2] x i64{3}", "onnx-tile-13 u8[3] x i64{3}"}}),
            "      near it these pass: onnx-tile-13 u8[2] x i64{3}, onnx-tile-13 u8[3] x i64{3}\n");
}

TEST(FailurePatterns, NameTheCasesNextToAFailureThatHaveThemAndPass) {
  FailurePatterns patterns;
  // Plainer, and more unlike each failure.
  patterns.add(example_pass("onnx-tile-13 u8[50] x i64{2}", {"ONNX-T13-S1", "CT-WRITE"}));
  for (int row = 2; row < 40; ++row) {
    const std::string literal = "onnx-tile-13 u8[2," + std::to_string(row) + "] x i64{1,2}";
    const bool fails = row > 20 && row != 30 && row != 35;
    patterns.add(fails ? example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"})
                       : example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"}));
  }
  const FailurePattern found = patterns.of("ONNX-T13-S1");
  EXPECT_EQ(found.words, "rows have 21 bytes or more");
  const std::vector<std::string> nearest{"onnx-tile-13 u8[2,30] x i64{1,2}",
                                         "onnx-tile-13 u8[2,35] x i64{1,2}", "onnx-tile-13 u8[50] x i64{2}"};
  EXPECT_EQ(found.passes, nearest);
}

// In the run no repeat is 3 or 4, so the bound that it shows is too high.
TEST(FailurePatterns, AreChosenAgainIfAFreshCaseContradictsThem) {
  FailurePatterns patterns;
  for (int row = 2; row < 12; ++row)
    for (const int repeat : {1, 2, 5, 6}) {
      const std::string literal =
          "onnx-tile-13 u8[2," + std::to_string(row) + "] x i64{1," + std::to_string(repeat) + "}";
      Record record = repeat < 3 ? example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"})
                                 : example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"});
      if (repeat > 2) record.judged.fault = record.amendments.back().fault = Fault::crash;
      patterns.add(record);
    }
  EXPECT_EQ(patterns.of("ONNX-T13-S1").words, "a repeat is 5 or more");
  const FailurePattern confirmed =
      patterns.confirmed("ONNX-T13-S1", isolate_options(test_plugin("crash_on_repeat_three")));
  EXPECT_TRUE(confirmed.words.starts_with("a repeat is 3 or more")) << confirmed.words;
  EXPECT_GT(confirmed.fresh_cases, 2);
}

}  // namespace
}  // namespace certile::conformance
