#pragma once
#include <ostream>

#include "conformance/proof/self_test/runner.hpp"

namespace certile::conformance {

// Writes the score: mutants killed by clause, survivors with what they do, liars, seconds; the last line is a
// summary.
void write_score(std::ostream& out, const SelfTest& result, Tier tier);

// Writes all participants, and the behaviours out of reach: docs/mutants.md.
void write_roster(std::ostream& out);

}  // namespace certile::conformance
