#pragma once
#include <string_view>

namespace certile::conformance {

// Returns true if a file of plan/witnesses/ lists the literal, as a plan spells it.  Witnesses are cases of
// which mutants die that a spread sample of their tier does not kill; each tier has a file.  A sample has
// those that its plan has, and a budget asks them first.  A case that no plan has any more is of no effect.
bool is_witness(std::string_view literal);

}  // namespace certile::conformance
