#pragma once
#include <ostream>
#include <string>

#include "conformance/proof/self_test/runner.hpp"

namespace certile::conformance {

// Writes the score: mutants killed by clause, survivors with what they do, liars, seconds; the last line is a
// summary.
void write_score(std::ostream& out, const SelfTest& result, Tier tier);

// Writes a file in the JUnit format with a test for the right one, each mutant and worker with each of its
// definitions, each liar, odd and hostile one.  A test that passes has what happened as its output.
Result<Done> write_score_junit(const std::string& path, const SelfTest& result, Tier tier);

// Returns what a trial must end with: "OV-T1-X4, and the level text broken by CT-BOUNDS".
std::string what_was_expected(const Trial& trial);
// Returns the difference from that.
std::string what_happened(const Trial& trial);

// Writes all participants, and the behaviours out of reach: docs/mutants.md.
void write_roster(std::ostream& out);

}  // namespace certile::conformance
