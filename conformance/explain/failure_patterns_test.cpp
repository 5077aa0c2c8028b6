#include "conformance/explain/failure_patterns.hpp"

#include <gtest/gtest.h>

#include "conformance/testing/example_runs_test.hpp"

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
  return patterns.of("OV-T1-X1");
}

TEST(FailurePatterns, FindTheBoundFromWhichOnCasesFail) {
  EXPECT_EQ(pattern_of([](std::int64_t, std::int64_t repeat, std::string_view) { return repeat > 6; }),
            "only where a repeat is 7 or more");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view type) {
              return row * (type == "f32" ? 4 : 1) > 32;
            }),
            "only where rows have 33 bytes or more");
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view) { return row < 5; }),
            "only where rows have 4 elements or fewer");
}

TEST(FailurePatterns, FindATraitThatAllFailuresHave) {
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t, std::string_view type) {
              return row * (type == "f32" ? 4 : 1) % 16 != 0;
            }),
            "only where rows are no multiple of 16 bytes");
  EXPECT_EQ(pattern_of([](std::int64_t, std::int64_t repeat, std::string_view) {
              return repeat % 2 == 1 && repeat > 1;
            }),
            "only where a repeat is no power of two");
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
    EXPECT_EQ(patterns.of("CT-STEADY"),
              fault == Fault::unsteady ? "" : "only where rows have 30 bytes or more");
  }
}

TEST(FailurePatterns, SayNothingOfTwoFailures) {
  EXPECT_EQ(pattern_of([](std::int64_t row, std::int64_t repeat, std::string_view type) {
              return row == 40 && repeat == 9 && (type == "u8" || type == "f32");
            }),
            "");
}

}  // namespace
}  // namespace certile::conformance
