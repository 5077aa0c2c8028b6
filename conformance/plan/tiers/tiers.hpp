#pragma once
#include "conformance/plan/plan.hpp"
#include "conformance/plan/tiers/cases.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Puts the cases of the tier into `cases`: the shorter tiers first, then its additions; within each, the
// definitions in the order of reports.  The large tier has smoke's cases and its own.  A backend behind the
// transport that returns its own outputs is asked for one that no memory holds.  Errors: those of make_plan
// that concern the pages and corpora of this program.
Result<Done> add_tier(const Claim& claim, Transport transport, const PlanOptions& options, Cases& cases);

}  // namespace certile::conformance
