#pragma once
#include <string_view>

namespace certile::conformance {

inline constexpr const char* version = CERTILE_VERSION;

// The commit of the tree that this program was built from, looked up by every build.
struct BuiltFrom {
  std::string_view commit;  // 40 hex digits; empty without git, as from an archive of the sources
  bool dirty = false;       // the tree had changes that were not committed
};
BuiltFrom built_from() noexcept;

}  // namespace certile::conformance
