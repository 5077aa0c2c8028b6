#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "conformance/plan/plan.hpp"
#include "conformance/plan/shard.hpp"

namespace certile::conformance {

// The number of cases of a chunk of a plan without a budget.
inline constexpr std::size_t chunk_size = 4096;
// A plan that is shorter than a chunk, but not shorter than this, has two chunks.
inline constexpr std::size_t least_to_halve = 256;

// Returns the number of the chunk of the plan that has this case of it.
std::size_t chunk_of(const Plan& plan, const PlannedCase& planned) noexcept;

// Returns the number of the piece, as below, that has this case of the plan.
std::size_t piece_of(const Plan& plan, const PlannedCase& planned, int shards) noexcept;

// Cuts a share of the plan, one of `shards` such shares, into pieces that are asked in a fresh process each:
// the share's cases of `shards` consecutive chunks of the plan.  So a piece of a shard is about as long as a
// chunk, and the failures of a chunk that come before another failure of the plan come before it in its shard
// too.
std::vector<std::span<const PlannedCase* const>> pieces_of(const Plan& plan, const Share& share, int shards);

}  // namespace certile::conformance
