#pragma once
#include <optional>
#include <string_view>

#include "reference/values/case.hpp"

namespace certile {

// The clause under which the texts leave the case open, whether for its types, as left_open(Call) has it, or
// for the strings that it spells out; nothing for all others.  For cases that the operator does not refuse.
std::optional<std::string_view> left_open(const Case& question);

}  // namespace certile
