#pragma once
#include <span>
#include <string>

#include "reference/values/case.hpp"

namespace certile {

// The literal as somebody can be asked it who claims these definitions: as it is where its definition is among
// them; else under the first of them, in the order of reports, whose rules make the same tiling of the same
// data and repeats, so that the same bytes are written; as it is where there is none.
std::string as_claimed(const std::string& literal, std::span<const DefinitionId> claimed);

}  // namespace certile
