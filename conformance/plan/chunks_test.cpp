#include "conformance/plan/chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "conformance/plan/plans_test.hpp"

namespace certile::conformance {
namespace {

bool begins_chunk(const Plan& plan, std::size_t place) {
  return place == 0 || chunk_at(plan, place) != chunk_at(plan, place - 1);
}

// Returns how many chunks begin with concurrent calls, of how many.
std::pair<int, int> beginnings_of(const Plan& plan) {
  int concurrent = 0, all = 0;
  for (std::size_t place = 0; place < plan.cases.size(); ++place) {
    if (!begins_chunk(plan, place)) continue;
    ++all;
    concurrent += plan.cases[place].question().placement.threads > 1 ? 1 : 0;
  }
  return {concurrent, all};
}

// [CT-THREADS]
TEST(Chunks, BeginWithConcurrentCalls) {
  const Plan plan = plan_of(claim_of_everything(), tier(Tier::smoke));
  const auto [concurrent, all] = beginnings_of(plan);
  EXPECT_GE(all, 3);
  EXPECT_EQ(concurrent, all);
}

TEST(Chunks, OfABudgetBeginWithConcurrentCallsToo) {
  PlanOptions options = tier(Tier::smoke);
  options.budget = 1000;
  const auto [concurrent, all] = beginnings_of(plan_of(claim_of_everything(), options));
  EXPECT_GE(all, 10);
  EXPECT_EQ(concurrent, all);
}

// [CT-STEADY] what must come after another case still does
TEST(Chunks, LeaveSequencesAsTheyAre) {
  Plan plan;
  for (int index = 0; index < 300; ++index) {
    PlannedCase planned = *parse_planned_case("onnx-tile-13 u8[" + std::to_string(index) + "] x i64{2}");
    planned.generator = index < 150 ? Generator::types : Generator::threads;
    planned.follows = index == 151;
    plan.cases.push_back(std::move(planned));
  }
  begin_with_concurrent_calls(plan);
  std::vector<std::string> literals;
  for (const PlannedCase& planned : plan.cases)
    literals.push_back(planned.literal);
  EXPECT_EQ(std::set(literals.begin(), literals.end()).size(), 300U);
  EXPECT_EQ(literals[0], "onnx-tile-13 u8[152] x i64{2}");
  EXPECT_EQ(literals[1], "onnx-tile-13 u8[0] x i64{2}");
  EXPECT_EQ(literals[150], "onnx-tile-13 u8[226] x i64{2}");
  const auto place = std::ranges::find(literals, "onnx-tile-13 u8[150] x i64{2}");
  ASSERT_NE(place, literals.end());
  EXPECT_EQ(*(place + 1), "onnx-tile-13 u8[151] x i64{2}");
}

}  // namespace
}  // namespace certile::conformance
