#pragma once
#include <gtest/gtest.h>

#include <utility>

#include "conformance/plan/everything_test.hpp"
#include "conformance/plan/plan.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile::conformance {

// Returns the plan for a library; an error fails the test.
inline Plan plan_of(const Claim& claim, const PlanOptions& options) {
  auto plan = make_plan(claim, shared_memory, options);
  if (!plan) ADD_FAILURE() << plan.error().what;
  return plan ? *std::move(plan) : Plan{};
}

inline PlanOptions tier(Tier wanted) {
  PlanOptions options;
  options.tier = wanted;
  return options;
}

}  // namespace certile::conformance
