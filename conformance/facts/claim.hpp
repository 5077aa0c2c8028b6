#pragma once
#include "backends/plugin/claim.hpp"
#include "backends/plugin/status.hpp"

namespace certile::conformance {

// A backend's words about itself and about a call, which every part uses.
using backends::Claim, backends::Part, backends::Status;

}  // namespace certile::conformance
