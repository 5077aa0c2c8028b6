#pragma once
#include <cstddef>
#include <string_view>

#include "backends/plugin/backend.hpp"
#include "backends/plugin/certile_plugin.h"
#include "reference/values/result.hpp"

namespace certile {

// The bytes of a table that a plugin must fill: everything up to `destroy`.  Fields appended later are
// optional.
inline constexpr std::size_t required_size =
    offsetof(certile_plugin, destroy) + sizeof(certile_plugin::destroy);

// What a plugin's table says of itself, checked.  `origin` names the plugin in the sentence of an Error
// (always Code::io).  The table's strings are a stranger's: a name or version is passed on as it is, control
// characters too, so whoever prints it must escape it.  The major version must have been compared before.
Result<Description> read_claim(const certile_plugin& table, std::string_view origin);

// The part of the table that both sides know: what lies past the plugin's own size is zeroed.
certile_plugin known_part(const certile_plugin& table) noexcept;

}  // namespace certile
