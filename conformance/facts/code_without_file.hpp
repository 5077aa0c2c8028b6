#pragma once

namespace certile::conformance {

// The name, in a list of loaded files, of executable memory that belongs to no file, which has no digest.
inline constexpr const char* code_without_file = "[executable memory]";

}  // namespace certile::conformance
