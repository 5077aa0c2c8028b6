#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "conformance/plan/plan.hpp"

namespace certile::conformance {

// Returns the earlier calls that most probably share something with a call by which a cache would confuse
// them: the digits of sizes and repeats without a separator, a shape, the size of an output or of data, hence
// also their addresses.  The likeliest comes first; of those that share the same things, the last call alone.
std::vector<const PlannedCase*> related_calls(const PlannedCase& call,
                                              std::span<const PlannedCase* const> earlier, std::size_t most);

}  // namespace certile::conformance
