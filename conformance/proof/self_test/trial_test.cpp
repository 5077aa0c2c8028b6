#include "conformance/proof/self_test/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "conformance/judge/expectation.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile::conformance {
namespace {

Trial tried(const Mutant& mutant, const std::string& plugin) {
  static const std::atomic<bool> never{false};
  Plans plans(Tier::smoke);
  return try_mutant(mutant, {onnx_tile_13}, isolate_options(plugin), plans, never).front();
}

constexpr Mutant leaves_the_tail{"T1",           "unwritten_tail", Tier::smoke,
                                 "onnx-tile-13", "write",          "for this test"};
constexpr Mutant reads_too_far{"T2", "over_reads", Tier::smoke, "onnx-tile-13", "write", "for this test"};

TEST(Trial, KillsAMutantWhoseFirstFailureIsChargedToItsClause) {
  const Trial trial = tried(leaves_the_tail, test_plugin("unwritten_tail"));
  EXPECT_EQ(trial.end, Trial::End::killed) << trial.failure.literal << trial.why;
  EXPECT_EQ(trial.failure.now().charged, "CT-WRITE");
}

TEST(Trial, TellsAMutantThatFailsForSomethingElse) {
  EXPECT_EQ(tried(reads_too_far, test_plugin("over_reads")).end, Trial::End::elsewhere);
}

TEST(Trial, TellsASurvivorAndWhatCannotBeLoaded) {
  EXPECT_EQ(tried(leaves_the_tail, example_plugin("libexample")).end, Trial::End::survived);
  EXPECT_EQ(tried(leaves_the_tail, "./there_is_no_such.so").end, Trial::End::broken);
}

// Sorts by the data's elements, behind the cases whose answer is large.
std::pair<bool, std::int64_t> place_of(const PlannedCase& planned) {
  const Case question = planned.question();
  const std::int64_t elements = element_count(question.data.shape()).value_or(INT64_MAX);
  return {may_have_a_large_answer(question) && oracle::promoted(oracle::promote(question)) != nullptr,
          elements};
}

TEST(Plans, AskTheSmallestDataFirstAndLargeAnswersLast) {
  auto isolate = open_asker(isolate_options(example_plugin("libexample")));
  ASSERT_TRUE(isolate);
  Plans plans(Tier::smoke);
  const Started started{(*isolate)->claim(), (*isolate)->door(), std::nullopt};
  const auto tier = plans.get(started, onnx_tile_13, Plans::Order::tier);
  const auto sorted = plans.get(started, onnx_tile_13, Plans::Order::smallest_first);
  ASSERT_TRUE(tier && sorted);
  EXPECT_EQ((*tier)->cases.size(), (*sorted)->cases.size());
  EXPECT_TRUE(std::ranges::is_sorted((*sorted)->cases, {}, place_of));
}

}  // namespace
}  // namespace certile::conformance
