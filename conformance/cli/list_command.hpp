#pragma once
#include <ostream>

namespace certile::conformance {

// Prints `certile list`: backends, with the reason if one is not built; definitions; element types; tiers. If
// `names_only`, prints only the names of the built-in backends in this build, one on each line.
// `is_installed` if the program has the workers of runtimes.
void list_command(std::ostream& out, bool names_only, bool is_installed);

}  // namespace certile::conformance
