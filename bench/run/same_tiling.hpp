#pragma once
#include <span>

#include "reference/values/case.hpp"

namespace certile::bench {

// Returns the case in a form for a backend that claims these definitions: unchanged if its definition is
// among them; otherwise under the first claimed definition, in the order of reports, whose rules make the
// same tiling of the same data and repeats, so that the same bytes are written; unchanged if there is none.
Case as_claimed(const Case& question, std::span<const DefinitionId> claimed);

}  // namespace certile::bench
