#pragma once
#include <string>
#include <vector>

#include "conformance/explain/picture.hpp"
#include "conformance/run/diagnosis.hpp"

namespace certile::conformance {

// Asks a case with its buffers at all offsets from a multiple of 64 bytes, and returns a sentence about those
// at which the case fails: "where the buffers begin 16 bytes after a multiple of 32".  Empty if no simple
// rule holds, and if the case fails at all of them or at none.
std::string failing_addresses(const Case& question, Diagnosis& asker);

// Returns the words for the multiples of `step` below 64 at which something fails; empty if none fit.
std::string words_for_offsets(const std::vector<bool>& fails, int step);

// Finds out where the wrong elements are: in which copies, rows, columns or bytes.  Each sentence is about a
// part of the output that has all wrong elements and is not the whole output; the smallest part comes first.
// At most two sentences, of different kinds, of which none follows from the other.  A few wrong elements are
// named as well.  Empty if the wrong elements are everywhere.
std::vector<std::string> where_wrong(const WrongElements& found);

}  // namespace certile::conformance
