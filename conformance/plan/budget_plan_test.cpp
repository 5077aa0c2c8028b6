// Plans that a budget cuts.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/plans_test.hpp"

namespace certile::conformance {
namespace {

TEST(BudgetPlan, WithABudgetHasSomeCasesOfTheTierEachOnce) {
  PlanOptions options = tier(Tier::smoke);
  const Plan whole = plan_of(claim_of_everything(), options);
  options.budget = Budget(std::int64_t{1000});
  const Plan cut = plan_of(claim_of_everything(), options);
  std::set<std::string> all, some;
  for (const PlannedCase& planned : whole.cases)
    all.insert(planned.literal);
  for (const PlannedCase& planned : cut.cases)
    some.insert(planned.literal);
  EXPECT_EQ(cut.cases.size(), 1000U);
  EXPECT_EQ(some.size(), 1000U);
  EXPECT_TRUE(std::ranges::includes(all, some));
  EXPECT_TRUE(cut.filtered);
  EXPECT_EQ(cut.before_budget, static_cast<std::int64_t>(whole.cases.size()));
  EXPECT_FALSE(whole.before_budget);
  EXPECT_NE(cut.digest, whole.digest);
}

TEST(BudgetPlan, WithASmallerBudgetIsTheBeginningOfOneWithALarger) {
  PlanOptions options = tier(Tier::smoke);
  options.definitions = {onnx_tile_13};
  const auto literals = [&options](std::int64_t budget) {
    options.budget = Budget(budget);
    std::vector<std::string> found;
    for (const PlannedCase& planned : plan_of(claim_of_everything(), options).cases)
      found.push_back(planned.literal);
    return found;
  };
  // At its end a budget leaves out a sequence that does not fit.
  constexpr std::ptrdiff_t longest_sequence = 40;
  const auto few = literals(200), many = literals(500);
  EXPECT_TRUE(std::equal(few.begin(), few.end() - longest_sequence, many.begin()));
}

TEST(BudgetPlan, WithABudgetHasEveryDefinitionAndEachWidth) {
  PlanOptions options = tier(Tier::core);
  options.budget = Budget(std::int64_t{1000});
  std::map<DefinitionId, int> definitions;
  std::map<ElementType, int> types;
  for (const PlannedCase& planned : plan_of(claim_of_everything(), options).cases) {
    const Case question = planned.question();
    ++definitions[question.definition];
    ++types[question.data.type()];
  }
  for (const DefinitionId definition : all_definitions())
    EXPECT_GE(definitions[definition], 90) << name(definition);
  for (const ElementType type : {ElementType::u4, ElementType::f32, ElementType::f64, ElementType::string})
    EXPECT_GE(types[type], 10) << name(type);
}

std::set<std::string_view> generators_of(const Plan& plan) {
  std::set<std::string_view> names;
  for (const PlannedCase& planned : plan.cases)
    names.insert(name(planned.generator));
  return names;
}

// Tests of what is done with a run ask such plans instead of whole tiers.
TEST(BudgetPlan, OfAFewHundredCasesHasEveryGenerator) {
  PlanOptions options = tier(Tier::smoke);
  options.definitions = {onnx_tile_13};
  const auto all = generators_of(plan_of(claim_of_everything(), options));
  EXPECT_FALSE(all.empty());
  options.budget = Budget(std::int64_t{300});
  EXPECT_EQ(generators_of(plan_of(claim_of_everything(), options)), all);
}

TEST(BudgetPlan, WithABudgetStillAsksWhatAWaiverNames) {
  PlanOptions options = tier(Tier::smoke);
  options.budget = Budget(std::int64_t{10});
  options.also = {"onnx-tile-13 u8[12345] x i64{3}"};
  const Plan plan = plan_of(claim_of_everything(), options);
  ASSERT_EQ(plan.cases.size(), 11U);
  EXPECT_EQ(plan.cases.back().literal, options.also.front());
}

TEST(BudgetPlan, WithABudgetOfTimeHasAllCasesInAnotherOrder) {
  PlanOptions options = tier(Tier::smoke);
  options.definitions = {onnx_tile_13};
  const Plan whole = plan_of(claim_of_everything(), options);
  options.budget = Budget(std::chrono::seconds(1));
  const Plan ordered = plan_of(claim_of_everything(), options);
  EXPECT_EQ(ordered.cases.size(), whole.cases.size());
  EXPECT_NE(ordered.digest, whole.digest);
  EXPECT_TRUE(ordered.filtered);
}

}  // namespace
}  // namespace certile::conformance
