#include "bench/harness/small_cases.hpp"

#include "backends/registry/registry.hpp"
#include "reference/oracle/promote.hpp"

namespace certile::bench {
namespace {

bool is_small(const conformance::PlannedCase& planned) {
  const Case question = planned.question();
  const Placement& placement = question.placement;
  if (placement.threads > 1 || placement.calls > 1) return false;
  const auto shape = oracle::output_shape(question);
  return !shape || placement.shape_only || element_count(*shape).value_or(0) <= small_elements;
}

}  // namespace

backends::Claim claim_of_scalar() {
  return backends::open_backend("scalar")->claim();
}

conformance::Plan small_cases(const backends::Claim& claim) {
  conformance::Plan plan =
      *conformance::make_plan(claim, conformance::shared_memory, conformance::PlanOptions{});
  std::erase_if(plan.cases, [](const conformance::PlannedCase& planned) { return !is_small(planned); });
  return plan;
}

}  // namespace certile::bench
