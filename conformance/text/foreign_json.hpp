#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace certile::conformance {

using Json = nlohmann::ordered_json;

// The limits of JSON that others wrote: the library calls itself for each level, and searches an object for
// each of its members.
inline constexpr std::size_t deepest_json = 64;
inline constexpr std::size_t most_json_members = 1'000;  // of an object
inline constexpr std::size_t most_json_values = std::size_t{1} << 20;

// Parses JSON, within these limits.  Returns a discarded value for any other text.  Nothing else parses JSON,
// which tools/check_structure.py checks.
Json foreign_json(std::string_view text);

}  // namespace certile::conformance
