#pragma once

namespace certile::conformance {

inline constexpr const char* version = CERTILE_VERSION;

}  // namespace certile::conformance
