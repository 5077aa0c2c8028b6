#pragma once
#include <string_view>

namespace certile::bench {

// The compiler flags of this folder's files, for the build type that was chosen.
inline constexpr const char* built_flags = CERTILE_BUILT_FLAGS;

// Returns `git describe` of the tree that this program was built from, looked up by every build; empty
// without git.
std::string_view built_commit() noexcept;

}  // namespace certile::bench
