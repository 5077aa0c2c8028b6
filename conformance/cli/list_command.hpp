#pragma once
#include <ostream>

namespace certile {

// `certile list`: backends, built or why not; definitions; element types; tiers.  `names_only`: the names of
// the built-in backends that are in this build, one a line.
void list_command(std::ostream& out, bool names_only);

}  // namespace certile
