#pragma once
#include <optional>

#include "backends/plugin/backend.hpp"
#include "conformance/ask/wire/wire.hpp"

namespace certile {

void write_description(WireWriter& writer, const Description& description);
// Nothing when the bytes are not a description.
std::optional<Description> read_description(WireReader& reader);

}  // namespace certile
