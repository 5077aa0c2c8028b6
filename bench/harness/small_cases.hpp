#pragma once
#include <cstdint>

#include "backends/plugin/backend.hpp"
#include "conformance/plan/plan.hpp"

namespace certile {

// What the harness is timed with: cases so small that what is done around a call takes longer than the call.

inline constexpr std::int64_t small_elements = 1024;  // of the output

Description claim_of_scalar();

// The core tier of this claim, less its few large and its concurrent cases.
Plan small_cases(const Description& claim);

}  // namespace certile
