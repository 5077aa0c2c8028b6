#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/plan/plan.hpp"
#include "conformance/run/run_plan.hpp"
#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {

inline Plan plan_of(const std::vector<std::string>& literals) {
  Plan plan;
  for (const std::string& literal : literals)
    plan.cases.push_back(*parse_planned_case(literal));
  return plan;
}

inline RunOptions run_options(const std::string& spelling) {
  RunOptions options;
  options.isolate = isolate_options(spelling);
  return options;
}

// Runs the plan and returns the records, in the order in which they were reported.
inline std::vector<Record> records_of(const Plan& plan, const RunOptions& options) {
  std::vector<Record> records;
  const auto ran = run_plan(plan, options, [&](const Record& record) {
    records.push_back(record);
    return Result<Done>(Done{});
  });
  EXPECT_TRUE(ran) << ran.error().what;
  return records;
}

inline std::vector<Record> records_of(const std::string& spelling, const std::vector<std::string>& literals) {
  return records_of(plan_of(literals), run_options(spelling));
}

// Returns the smoke tier for the example plugin's claim, which all test plugins share.
inline Plan smoke_plan() {
  auto isolate = open_asker(isolate_options(example_plugin("libexample")));
  EXPECT_TRUE(isolate);
  PlanOptions options;
  options.tier = Tier::smoke;
  return *make_plan((*isolate)->claim(), (*isolate)->transport(), options);
}

// Returns every sixteenth case of the smoke tier: some of each generator, in the short chunks of a budget, so
// that several processes have work.
inline Plan some_of_smoke() {
  const Plan smoke = smoke_plan();
  Plan plan;
  for (std::size_t index = 0; index < smoke.cases.size(); index += 16)
    plan.cases.push_back(*parse_planned_case(smoke.cases[index].literal));
  plan.before_budget = std::ssize(plan.cases);
  return plan;
}

}  // namespace certile::conformance
