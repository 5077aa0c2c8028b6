#pragma once
#include <span>
#include <string>

#include "reference/values/case.hpp"

namespace certile {

// Returns the literal in a form for a backend that claims these definitions: unchanged if its definition is
// among them; otherwise under the first claimed definition, in the order of reports, whose rules make the
// same tiling of the same data and repeats, so that the same bytes are written; unchanged if there is none.
std::string as_claimed(const std::string& literal, std::span<const DefinitionId> claimed);

}  // namespace certile
