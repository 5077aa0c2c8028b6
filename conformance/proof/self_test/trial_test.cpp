#include "conformance/proof/self_test/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/judge/expectation.hpp"
#include "conformance/plan/corpus.hpp"
#include "conformance/proof/self_test/witnesses.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile::conformance {
namespace {

// Returns the plans that these tests share.
Plans& plans_of_smoke() {
  static Plans plans(Tier::smoke);
  return plans;
}

Trial tried(const Mutant& mutant, const std::string& plugin) {
  static const std::atomic<bool> never{false};
  return try_mutant(mutant, {onnx_tile_13}, isolate_options(plugin), plans_of_smoke(), never).front();
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
  Plans& plans = plans_of_smoke();
  const Started started{(*isolate)->claim(), (*isolate)->transport(), std::nullopt};
  const auto tier = plans.get(started, onnx_tile_13, Plans::Order::tier);
  const auto sorted = plans.get(started, onnx_tile_13, Plans::Order::smallest_first);
  ASSERT_TRUE(tier && sorted);
  EXPECT_EQ((*tier)->cases.size(), (*sorted)->cases.size());
  EXPECT_TRUE(std::ranges::is_sorted((*sorted)->cases, {}, place_of));
}

// Returns a witness of the list whose definition the example claims, and that no page cites.
std::string some_witness(const Plan& whole) {
  for (const PlannedCase& planned : whole.cases)
    if (is_witness(planned.literal) && planned.cites.empty()) return planned.literal;
  return {};
}

TEST(Plans, PutWitnessesIntoTheSampleAndInOrder) {
  auto isolate = open_asker(isolate_options(example_plugin("libexample")));
  ASSERT_TRUE(isolate);
  Plans& plans = plans_of_smoke();
  const Started started{(*isolate)->claim(), (*isolate)->transport(), std::nullopt};
  const auto whole = plans.get(started, onnx_tile_13, Plans::Order::smallest_first);
  const auto few = plans.get(started, onnx_tile_13, Plans::Order::few);
  ASSERT_TRUE(whole && few);
  const std::string witness = some_witness(**whole);
  ASSERT_FALSE(witness.empty());
  EXPECT_TRUE(std::ranges::find((*few)->cases, witness, &PlannedCase::literal) != (*few)->cases.end())
      << witness;
  EXPECT_LT((*few)->cases.size(), (*whole)->cases.size() / 3);
  EXPECT_TRUE(std::ranges::is_sorted((*few)->cases, {}, place_of));
}

TEST(Witnesses, AreWrittenOnceAndInOrder) {
  std::vector<Trial> trials(3);
  trials[0].witnesses = {"onnx-tile-13 f32[2] x i64{3}"};
  trials[1].witnesses = {"onnx-tile-13 f32[2] x i64{2}", "onnx-tile-13 f32[2] x i64{3}"};
  std::ostringstream out;
  write_witnesses(out, trials);
  const std::string text = out.str();
  EXPECT_EQ(text.substr(text.find("\nonnx") + 1),
            "onnx-tile-13 f32[2] x i64{2}\nonnx-tile-13 f32[2] x i64{3}\n");
  EXPECT_FALSE(is_witness(text.substr(0, text.find('\n'))));
}

}  // namespace
}  // namespace certile::conformance
