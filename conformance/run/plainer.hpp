#pragma once
#include <optional>
#include <span>

#include "reference/values/case.hpp"

namespace certile {

// A call that several rules make legal, and that is refused all the same, does not say which rule is broken;
// nor does a shape in which a 0 hides what was multiplied.  Plainer calls of the same kind do.

// Takes one thing away that makes the case special; nothing where it is not special in that way.
using Plainer = std::optional<Case> (*)(const Case& question);

// In the order in which they are tried, each on what the ones before it left.
std::span<const Plainer> plainer_steps() noexcept;

}  // namespace certile
