#pragma once
#include <cstddef>

#include "conformance/plan/plan.hpp"

namespace certile::conformance {

// The number of cases of a chunk of a plan without a budget.
inline constexpr std::size_t chunk_size = 4096;
// A plan that is shorter than a chunk, but not shorter than this, has two chunks.
inline constexpr std::size_t least_to_halve = 256;

// Returns the number of the chunk that has this place of the plan.  Each chunk is asked in a fresh process.
std::size_t chunk_at(const Plan& plan, std::size_t place) noexcept;

// Lets every chunk begin with a case of concurrent calls, as far as the plan has as many: [CT-THREADS] holds
// from the first call on, and what the first call of a process prepares, no later one shows.  Other cases
// keep their order.
void begin_with_concurrent_calls(Plan& plan);

}  // namespace certile::conformance
