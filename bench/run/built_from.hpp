#pragma once
namespace certile::bench {

// The compiler flags of this folder's files, for the build type that was chosen.
inline constexpr const char* built_flags = CERTILE_BUILT_FLAGS;

}  // namespace certile::bench
