#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "conformance/plan/plan.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

// Returns the earlier calls that most probably share something with a call by which a cache would confuse
// them: the digits of sizes and repeats without a separator, a shape, the size of an output or of data, hence
// also their addresses.  The likeliest comes first; of those that share the same things, the last call alone.
std::vector<const PlannedCase*> related_calls(const PlannedCase& call,
                                              std::span<const PlannedCase* const> earlier, std::size_t most);

// A refused call that several rules make legal does not show which rule is broken; nor does a shape in which
// a 0 hides a product.  Plainer calls of the same kind do.

// Removes one thing that makes the case special; returns nothing if the case does not have it.
using Plainer = std::optional<Case> (*)(const Case& question);

// Returns the steps in the order in which they are tried, each on the result of the ones before it.
std::span<const Plainer> plainer_steps() noexcept;

}  // namespace certile::conformance
