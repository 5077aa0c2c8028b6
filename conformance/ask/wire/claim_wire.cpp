#include "conformance/ask/wire/claim_wire.hpp"

#include <utility>
#include <variant>

#include "backends/plugin/claim_words.hpp"

namespace certile::conformance {

void write_claim(WireWriter& writer, const Claim& claim) {
  for (const backends::ClaimWord& each : backends::claim_words(claim))
    writer.text(each.word);
}

std::optional<Claim> read_claim(WireReader& reader) {
  auto read = backends::claim_from([&reader](const backends::ClaimWord&) { return reader.text(); });
  if (!reader.good() || !std::holds_alternative<Claim>(read)) return std::nullopt;
  return std::get<Claim>(std::move(read));
}

}  // namespace certile::conformance
