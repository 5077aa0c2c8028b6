#include "conformance/explain/failure_patterns.hpp"

#include <gtest/gtest.h>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {
namespace {

// Returns the pattern of the failures of a clause, next to the failure that is shown.
FailurePattern pattern_in(const FailurePatterns& patterns, const std::string& clause,
                          const std::string& shown = small_case) {
  return patterns.of(example_failure(shown, {clause}));
}

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
  return pattern_in(patterns, "OV-T1-X1").words;
}

TEST(FailurePatterns, FindTheBoundFromWhichOnCasesFail) {
  EXPECT_EQ(pattern_of([](std::int64_t, std::int64_t repeat, std::string_view) { return repeat > 6; }),
            "the largest repeat is 7 or more");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view type) {
              return row * (type == "f32" ? 4 : 1) > 32;
            }),
            "the size of a row is 33 bytes or more");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view) { return row < 5; }),
            "the largest dimension of the data is 4 or less");
}

TEST(FailurePatterns, FindAFactThatAllFailuresShare) {
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view type) {
              return row * (type == "f32" ? 4 : 1) % 16 != 0;
            }),
            "the size of a row is no multiple of 16 bytes");
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
            "one cause? all failures of these 3 clauses are calls where the number of axes of the data is 5 "
            "or more, "
            "and no such call passed\n");
  EXPECT_EQ(cause_of([](int axes, int repeat) { return axes > 4 && repeat != 4; }), "") << "some pass";
  EXPECT_EQ(cause_of([](int axes, int repeat) { return axes > 4 && repeat % 3 == 0; }), "") << "one clause";
}

// Whatever most failures have, a pass has it as well, or a failure lacks it.
TEST(FailurePatterns, SayNothingThatOnlyCorrelates) {
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t repeat, std::string_view) {
              return row > 20 && repeat > 4;
            }),
            "");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t repeat, std::string_view) {
              return row * repeat % 8 == 3;
            }),
            "");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view) { return row % 2 == 0; }), "");
  EXPECT_EQ(pattern_of([](std::int64_t, std::int64_t repeat, std::string_view) {
              return repeat % 2 == 1 && repeat > 1;
            }),
            "");
}

// A pass without elements counts if it exercises the clause.
TEST(FailurePatterns, SayThatTheOutputHasElementsIfThatMatters) {
  for (const bool exercises : {false, true}) {
    FailurePatterns patterns;
    for (int row = 1; row <= 40; ++row) {
      const std::string literal = "onnx-tile-13 u8[" + std::to_string(row) + "] x i64{2}";
      patterns.add(row > 20 ? example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"})
                            : example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"}));
    }
    Record empty = example_pass("onnx-tile-13 u8[90] x i64{0}", {exercises ? "ONNX-T13-S1" : "ONNX-T13-O1"});
    empty.judged.vacuous = true;
    patterns.add(empty);
    EXPECT_EQ(pattern_in(patterns, "ONNX-T13-S1").words,
              std::string(exercises ? "the output has elements and " : "") +
                  "the largest dimension of the data is 21 or more");
  }
}

// Bits of packed elements may end within a byte, and a product may be too large to count: these have no size.
TEST(FailurePatterns, SayNothingOfSizesThatCasesDoNotHave) {
  FailurePatterns patterns;
  for (int row = 1; row <= 20; ++row) {
    patterns.add(
        example_failure("openvino-tile-1 u4[" + std::to_string(2 * row + 1) + "] x i64{1}", {"OV-T1-G2"}));
    patterns.add(example_pass("openvino-tile-1 u4[" + std::to_string(2 * row) + "] x i64{1}", {"OV-T1-G2"}));
  }
  EXPECT_EQ(pattern_in(patterns, "OV-T1-G2").words, "");
  for (int row = 2; row <= 20; ++row)
    patterns.add(example_failure(
        "onnx-tile-13 u8[1] x i64{4611686018427387904," + std::to_string(row) + "} @infer", {"ONNX-T13-O2"}));
  for (int row = 2; row <= 20; ++row)
    patterns.add(example_pass("onnx-tile-13 u8[1,1] x i64{1," + std::to_string(row) + "}", {"ONNX-T13-O2"}));
  EXPECT_EQ(pattern_in(patterns, "ONNX-T13-O2").words.find("copies"), std::string::npos);
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
  EXPECT_EQ(pattern_in(patterns, "ONNX-T13-S1").words, "the number of axes that are repeated is 2 or more");
}

// Of repeats along rows, 256 pass.
TEST(FailurePatterns, NameTheAxisWhoseRepeatMatters) {
  FailurePatterns patterns;
  for (const int before : {1, 2, 255, 256, 300})
    for (const int last : {1, 2, 255, 256, 300})
      for (const int row : {2, 3, 5}) {
        const std::string literal = "onnx-tile-13 u8[3," + std::to_string(row) + "] x i64{" +
                                    std::to_string(before) + "," + std::to_string(last) + "}";
        patterns.add(before >= 256 ? example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"})
                                   : example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"}));
      }
  EXPECT_EQ(pattern_in(patterns, "ONNX-T13-S1").words,
            "the largest repeat of the axes before the last is 256 or more");
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
    EXPECT_EQ(pattern_in(patterns, "CT-STEADY").words,
              fault == Fault::unsteady ? "" : "the largest dimension of the data is 30 or more");
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
  EXPECT_EQ(pattern_in(patterns, "ONNX-T13-S1").words, "the output is not aligned");
}

TEST(FailurePatterns, SayNothingOfTwoFailures) {
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t repeat, std::string_view type) {
              return row == 40 && repeat == 9 && (type == "u8" || type == "f32");
            }),
            "");
}

TEST(FailurePatterns, AreALineThatSaysWhetherFreshCasesWereAsked) {
  EXPECT_EQ(FailurePatterns::line_of({}), "");
  EXPECT_EQ(FailurePatterns::line_of({"the largest repeat is 3"}),
            "      in this run the clause fails exactly where the largest repeat is 3\n");
  EXPECT_EQ(FailurePatterns::line_of({"the largest repeat is 3", 2}),
            "      the clause fails exactly where the largest repeat is 3, in the run and in 2 more cases\n");
  EXPECT_EQ(FailurePatterns::line_of({"", 0, {"onnx-tile-13 u8[2] x i64{3}", "onnx-tile-13 u8[3] x i64{3}"}}),
            "      near it these pass: onnx-tile-13 u8[2] x i64{3}, onnx-tile-13 u8[3] x i64{3}\n");
}

TEST(FailurePatterns, NameThePassesNextToTheFailureIfNothingTellsThemApart) {
  FailurePatterns patterns;
  // Plainer, and more unlike each failure.
  patterns.add(example_pass("onnx-tile-13 u8[50] x i64{2}", {"ONNX-T13-S1", "CT-WRITE"}));
  for (int row = 2; row < 40; ++row) {
    const std::string literal = "onnx-tile-13 u8[2," + std::to_string(row) + "] x i64{1,2}";
    const bool fails = row > 20 && row != 30 && row != 35;
    patterns.add(fails ? example_failure(literal, {"ONNX-T13-S1", "CT-WRITE"})
                       : example_pass(literal, {"ONNX-T13-S1", "CT-WRITE"}));
    // The same call of another definition is another call.
    patterns.add(example_pass("onnx-tile-6" + literal.substr(literal.find(' ')), {"ONNX-T13-S1"}));
  }
  const FailurePattern found = pattern_in(patterns, "ONNX-T13-S1", "onnx-tile-13 u8[2,29] x i64{1,2}");
  EXPECT_EQ(found.words, "");
  const std::vector<std::string> nearest{"onnx-tile-13 u8[2,30] x i64{1,2}",
                                         "onnx-tile-13 u8[2,35] x i64{1,2}",
                                         "onnx-tile-13 u8[2,20] x i64{1,2}"};
  EXPECT_EQ(found.passes, nearest);
}

// In the run no output has 150,001 to 299,999 bytes, so no bound is known before more cases are asked.
TEST(FailurePatterns, HaveBoundsThatFreshCasesMadeExact) {
  FailurePatterns patterns;
  for (int repeat = 10; repeat <= 600; repeat += repeat == 150 ? 150 : 10) {
    const std::string literal = "onnx-tile-13 u8[1000] x i64{" + std::to_string(repeat) + "}";
    Record record = repeat < 200 ? example_pass(literal, {"CT-BITS", "CT-WRITE"})
                                 : example_failure(literal, {"CT-BITS", "CT-WRITE"});
    if (repeat > 200) record.judged.fault = record.amendments.back().fault = Fault::elements;
    patterns.add(record);
  }
  EXPECT_EQ(pattern_in(patterns, "CT-BITS").words, "");
  const Record shown = example_failure("onnx-tile-13 u8[1000] x i64{300}", {"CT-BITS"});
  const IsolateOptions options = isolate_options(test_plugin("wrong_from_200000_bytes"));
  const FailurePattern confirmed = patterns.of(shown, &options);
  EXPECT_EQ(confirmed.words, "the size of the output is 200,000 bytes or more");
  EXPECT_GT(confirmed.fresh_cases, 8);
}

}  // namespace
}  // namespace certile::conformance
