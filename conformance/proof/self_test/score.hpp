#pragma once
#include <ostream>

#include "conformance/proof/self_test/runner.hpp"

namespace certile {

// The score: mutants killed by clause, survivors with what they do, liars, seconds; the last line says it in
// one.
void write_score(std::ostream& out, const SelfTest& result, Tier tier);

// Everybody who takes part, and what is out of reach: docs/mutants.md.
void write_roster(std::ostream& out);

}  // namespace certile
