#pragma once
#include <vector>

#include "reference/spec/role.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

// Returns the roles that describe how the shape `seen` differs from the `right` one, the most specific first.
std::vector<Role> shape_roles(const Case& question, const Shape& right, const Shape& seen);

}  // namespace certile::conformance
