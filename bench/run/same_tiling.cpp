#include "bench/run/same_tiling.hpp"

#include <algorithm>

#include "reference/oracle/promote.hpp"
#include "reference/values/call.hpp"

namespace certile {

std::string as_claimed(const std::string& literal, std::span<const DefinitionId> claimed) {
  const auto question = parse_case(literal);
  // Other definitions have no axis operand.
  if (!question || question->axis || std::ranges::find(claimed, question->definition) != claimed.end())
    return literal;
  const auto tiling = settled_tiling(*question);
  if (!tiling) return literal;
  for (const DefinitionId definition : all_definitions()) {
    if (has_axis(definition) || std::ranges::find(claimed, definition) == claimed.end()) continue;
    Case other = *question;
    other.definition = definition;
    const auto same = settled_tiling(other);
    if (same && same->data == tiling->data && same->repeats == tiling->repeats) return to_string(other);
  }
  return literal;
}

}  // namespace certile
