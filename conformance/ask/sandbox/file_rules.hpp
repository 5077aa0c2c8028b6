#pragma once
#include <string>

#include "conformance/ask/sandbox/layers.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Puts those of the layers that Landlock implements in force, for this process and all that it starts:
// nothing is written outside of `folder` but to devices that keep nothing.  Needs PR_SET_NO_NEW_PRIVS.  Error
// io.
Result<Done> rule_files(Layers layers, const std::string& folder);

}  // namespace certile::conformance
