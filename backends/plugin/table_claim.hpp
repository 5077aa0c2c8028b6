#pragma once
#include <cstddef>
#include <string_view>

#include "backends/plugin/certile_plugin.h"
#include "backends/plugin/claim.hpp"
#include "reference/values/result.hpp"

namespace certile::backends {

// The bytes of a table that a plugin must fill: everything up to `destroy`.  Fields appended later are
// optional.
inline constexpr std::size_t required_size =
    offsetof(certile_plugin, destroy) + sizeof(certile_plugin::destroy);

// Returns the claim in a plugin's table, after checking it.  `origin` names the plugin in the message of an
// Error (always Code::io).  Names and versions are passed on unchanged, control characters included, so the
// caller must escape them before printing.  Compare the major version first.
Result<Claim> read_claim(const certile_plugin& table, std::string_view origin);

// Returns the part of the table that both sides know; anything past the plugin's own size is zero.
certile_plugin known_part(const certile_plugin& table) noexcept;

}  // namespace certile::backends
