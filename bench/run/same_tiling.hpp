#pragma once
#include <span>
#include <string>

#include "reference/values/case.hpp"

namespace certile {

// The literal as somebody can be asked it who claims these operators: as it is where its operator is among
// them; else under the first of them, in the order of reports, whose rules make the same tiling of the same
// data and repeats, so that the same bytes are written; as it is where there is none.
std::string as_claimed(const std::string& literal, std::span<const Operator> claimed);

}  // namespace certile
