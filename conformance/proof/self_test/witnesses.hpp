#pragma once
#include <ostream>
#include <span>
#include <string_view>

#include "conformance/proof/self_test/trial.hpp"

// Witnesses: cases that kill mutants which a spread sample of a tier does not.
// conformance/proof/mutants/witnesses.tile lists them.  A sample has those that its plan has, so that most
// mutants die without the whole plan; a case that no plan has any more is of no effect, because the whole
// plan decides then.
namespace certile::conformance {

// Returns true if witnesses.tile lists the literal, as a plan spells it.
bool is_witness(std::string_view literal);

// Writes the file with the witnesses of these trials.
void write_witnesses(std::ostream& out, std::span<const Trial> trials);

}  // namespace certile::conformance
