#pragma once
#include "reference/spec/pages.hpp"

namespace certile::conformance {

// Returns true if a failure that is charged to the clause breaks the level *text* of the definition:
// normative clauses, examples and the contract, except what the definition's text contradicts.  False for
// none.
bool counts_at_text(DefinitionId definition, ClauseId clause);

}  // namespace certile::conformance
