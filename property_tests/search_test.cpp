// Tests of the counterexamples found in implementations that are wrong in one way, and of their simplicity:
// the literals are exact, because the seed determines the cases.
#include "property_tests/search.hpp"

#include <gtest/gtest.h>

#include <string>

#include "backends/registry/registry.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "property_tests/report.hpp"

namespace certile::property_tests {
namespace {

Examiner opened(const std::string& spelling, int time_limit = 10'000) {
  conformance::IsolateOptions isolate = conformance::isolate_options(spelling);
  isolate.time_limit = time_limit;
  auto examiner = Examiner::open(isolate);
  EXPECT_TRUE(examiner) << spelling << ": " << examiner.error().what;
  return *std::move(examiner);
}

SearchResult searched(Examiner& examiner, std::string_view property, const SearchOptions& options) {
  const Specimens specimens(examiner.claim());
  auto result = search(*property_named(property), specimens, examiner, options);
  EXPECT_TRUE(result) << examiner.claim().name << ": " << property << ": " << result.error().what;
  return result ? *result : SearchResult{};
}

SearchResult searched(const std::string& spelling, std::string_view property, const SearchOptions& options,
                      int time_limit = 10'000) {
  Examiner examiner = opened(spelling, time_limit);
  return searched(examiner, property, options);
}

// Returns the counterexample's literal and fault.
std::string found_in(const std::string& plugin, const char* property, int time_limit = 10'000) {
  const SearchResult result = searched(conformance::test_plugin(plugin), property, {.seed = 1}, time_limit);
  if (!result.counterexample) return "none";
  const auto& record = result.counterexample->examination.record;
  return to_string(result.counterexample->question) + " " +
         std::string(record ? name(record->now().fault) : "without a record");
}

TEST(Search, MakesWhatFailsEverywhereAsSimpleAsThePropertyAllows) {
  EXPECT_EQ(found_in("unwritten_tail", "agrees-with-oracle"), "onnx-tile-13 u8[] x i64{} left-unwritten");
  EXPECT_EQ(found_in("one_byte_over", "agrees-with-oracle"), "onnx-tile-13 u8[] x i64{} wrote-outside");
  EXPECT_EQ(found_in("changes_input", "agrees-with-oracle"), "onnx-tile-13 u8[] x i64{} changed-input");
  EXPECT_EQ(found_in("misplaced", "agrees-with-oracle"), "onnx-tile-13 u8[] x i64{} misplaced");
}

TEST(Search, KeepsWhatTheFaultNeeds) {
  EXPECT_EQ(found_in("wrong_second_run", "agrees-with-oracle"), "onnx-tile-13 u8[1,1] x i64{1,1} unsteady");
  EXPECT_EQ(found_in("writes_on_refusal", "agrees-with-oracle"),
            "onnx-tile-13 u8[] x i64{1} wrote-on-refusal");
}

TEST(Search, FindsARaceAndKeepsItsThreads) {
  if (conformance::has_race_detector())
    GTEST_SKIP() << "a plugin that races on purpose is not asked under a race detector";
  EXPECT_EQ(found_in("races", "concurrent-calls"), "onnx-tile-13 u8[] x i64{} raced");
}

TEST(Search, GoesOnAcrossCrashes) {
  EXPECT_EQ(found_in("crash_on_repeat_three", "agrees-with-oracle"), "onnx-tile-13 u8[1,2] x i64{1,3} crash");
}

TEST(Search, GoesOnAcrossCallsThatHang) {
  EXPECT_EQ(found_in("hang_on_rank_three", "agrees-with-oracle", 800),
            "onnx-tile-13 u8[2,1,1] x i64{1,1,1} timeout");
}

TEST(Search, FindsEveryPropertyBrokenWhereNothingIsWhole) {
  for (const Property& property : all_properties()) {
    const std::string expected =
        property.name == "tiling-twice" || property.name == "zero-repeats" || property.name == "concatenation"
            ? "one axis"
        : property.name == "axis-order" || property.name == "permuted-axes" ? "two axes"
                                                                            : "a scalar";
    const SearchResult result =
        searched(conformance::test_plugin("unwritten_tail"), property.name, {.seed = 2});
    if (property.name == "zero-repeats") {
      EXPECT_FALSE(result.counterexample) << "an output without elements has no tail";
      continue;
    }
    ASSERT_TRUE(result.counterexample) << property.name;
    const Case& question = result.counterexample->question;
    const char* axes[] = {"a scalar", "one axis", "two axes"};
    ASSERT_LT(question.data.shape().size(), 3U) << to_string(question);
    EXPECT_EQ(axes[question.data.shape().size()], expected) << property.name << ": " << to_string(question);
    EXPECT_TRUE(result.counterexample->alone) << property.name;
  }
}

TEST(Search, FindsWhatOnlyAHistoryShows) {
  const SearchResult result = searched(conformance::test_plugin("stateful"), "tiling-twice", {.seed = 1});
  ASSERT_TRUE(result.counterexample);
  EXPECT_EQ(to_string(result.counterexample->question), "onnx-tile-13 u8[1] x i64{2}");
  ASSERT_TRUE(result.counterexample->examination.record);
  EXPECT_EQ(result.counterexample->examination.record->reproduce(),
            (std::vector<std::string>{"onnx-tile-13 u8{77,77} x i64{2}", "onnx-tile-13 u8[1] x i64{4}"}));
}

TEST(Search, ShowsTheSameTwiceForOneSeed) {
  const auto once = searched(conformance::test_plugin("crash_on_repeat_three"), "kronecker", {.seed = 9});
  const auto again = searched(conformance::test_plugin("crash_on_repeat_three"), "kronecker", {.seed = 9});
  ASSERT_TRUE(once.counterexample && again.counterexample);
  EXPECT_EQ(once.cases, again.cases);
  EXPECT_EQ(once.counterexample->shrinks, again.counterexample->shrinks);
  EXPECT_EQ(once.counterexample->question, again.counterexample->question);
}

TEST(Search, LeavesRightImplementationsInPeace) {
  for (const backends::BuiltIn& built_in : backends::built_in_backends()) {
    if (!built_in.missing.empty()) continue;
    const auto one = Examiner::open(conformance::isolate_options(std::string(built_in.name)));
    if (!one && one.error().code == Error::Code::unsupported)
      continue;  // this processor lacks its instructions
    Examiner examiner = opened(std::string(built_in.name));
    for (const std::uint64_t seed : {1U, 2U, 3U})
      for (const Property& property : all_properties()) {
        // A concurrent call is made a thousand times by each thread.
        const int cases = property.name == "concurrent-calls" ? 5 : 30;
        const SearchResult result = searched(examiner, property.name, {.seed = seed, .cases = cases});
        EXPECT_EQ(result.cases, cases) << built_in.name << ": " << property.name << ", seed " << seed;
        EXPECT_LT(result.silent, cases) << built_in.name << ": " << property.name << ", seed " << seed;
        if (result.counterexample)
          ADD_FAILURE() << built_in.name << ": " << property.name << ", seed " << seed << ": "
                        << literal_to_keep(*result.counterexample);
      }
  }
}

}  // namespace
}  // namespace certile::property_tests
