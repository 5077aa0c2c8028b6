#pragma once
#include <optional>

#include "conformance/ask/wire/wire.hpp"
#include "conformance/facts/claim.hpp"

namespace certile::conformance {

// Writes the words of a claim, without a worker's: workers are asked without a host.
void write_claim(WireWriter& writer, const Claim& claim);
// Returns nothing if the bytes are not a claim.
std::optional<Claim> read_claim(WireReader& reader);

}  // namespace certile::conformance
