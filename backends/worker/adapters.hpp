#pragma once
#include <string_view>
#include <vector>

namespace certile::backends {

// Returns the runtimes that this tree has an adapter for, in the order of adapters/adapters.txt.  Each needs
// a separate environment, which `./dev certify NAME` makes; the program itself starts none of them by name.
std::vector<std::string_view> adapter_names();

}  // namespace certile::backends
