#pragma once
#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace certile::conformance {

inline constexpr const char* version = CERTILE_VERSION;

// The commit of the tree that this program was built from, looked up by every build.
struct BuiltFrom {
  std::string_view commit;  // 40 hex digits; empty without git, as from an archive of the sources
  bool dirty = false;       // the tree had changes that were not committed
};
BuiltFrom built_from() noexcept;

// Returns a check of an option's value: a number of 0 to `most` in decimal digits.  CLI11 alone would clamp a
// larger number.
inline CLI::Validator whole_number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  const auto check = [most](const std::string& text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    const bool good = read.ec == std::errc() && read.ptr == end && value <= most;
    return good ? std::string() : "'" + text + "' is no number from 0 to " + std::to_string(most);
  };
  return CLI::Validator(check, "");
}

}  // namespace certile::conformance
