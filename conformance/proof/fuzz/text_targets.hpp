#pragma once
#include "conformance/proof/fuzz/fuzz_target.hpp"

namespace certile::conformance {

// Reads text from people or other programs: a literal or a line of a corpus, a corpus, a file of records,
// waivers.
void fuzz_literal(std::span<const std::byte> input);
void fuzz_corpus(std::span<const std::byte> input);
void fuzz_records(std::span<const std::byte> input);
void fuzz_waivers(std::span<const std::byte> input);

}  // namespace certile::conformance
