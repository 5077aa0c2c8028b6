#pragma once
#include <string>

#include "conformance/run/diagnosis.hpp"

namespace certile::conformance {

// Asks a case with its buffers at all offsets from a multiple of 64 bytes, and returns a sentence about those
// at which the case fails: "where the buffers begin 16 bytes after a multiple of 32".  Empty if no simple
// rule holds, and if the case fails at all of them or at none.
std::string failing_addresses(const Case& question, Diagnosis& asker);

// Returns the words for the multiples of `step` below 64 at which something fails; empty if none fit.
std::string words_for_offsets(const std::vector<bool>& fails, int step);

}  // namespace certile::conformance
