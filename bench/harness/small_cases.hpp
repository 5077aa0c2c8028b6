#pragma once
#include <cstdint>

#include "backends/plugin/claim.hpp"
#include "conformance/plan/plan.hpp"

namespace certile::bench {

// Cases so small that certile's own work takes longer than the call.

inline constexpr std::int64_t small_elements = 1024;  // of the output

backends::Claim claim_of_scalar();

// Returns the core tier of this claim, without its few large cases and its concurrent ones.
conformance::Plan small_cases(const backends::Claim& claim);

}  // namespace certile::bench
