#pragma once

namespace certile {

inline constexpr const char* version = CERTILE_VERSION;

}  // namespace certile
