#pragma once
#include <optional>
#include <span>

#include "reference/values/case.hpp"

namespace certile::conformance {

// A refused call that several rules make legal does not show which rule is broken; nor does a shape in which
// a 0 hides a product.  Plainer calls of the same kind do.

// Removes one thing that makes the case special; returns nothing if the case does not have it.
using Plainer = std::optional<Case> (*)(const Case& question);

// Returns the steps in the order in which they are tried, each on the result of the ones before it.
std::span<const Plainer> plainer_steps() noexcept;

}  // namespace certile::conformance
