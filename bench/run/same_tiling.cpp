#include "bench/run/same_tiling.hpp"

#include <algorithm>

#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"

namespace certile::bench {

Case as_claimed(const Case& question, std::span<const DefinitionId> claimed) {
  // Other definitions have no axis operand.
  if (question.axis || std::ranges::find(claimed, question.definition) != claimed.end()) return question;
  const auto tiling = oracle::settled_tiling(question);
  if (!tiling) return question;
  for (const DefinitionId definition : all_definitions()) {
    if (has_axis(definition) || std::ranges::find(claimed, definition) == claimed.end()) continue;
    Case other = question;
    other.definition = definition;
    const auto same = oracle::settled_tiling(other);
    if (same && same->data == tiling->data && same->repeats == tiling->repeats) return other;
  }
  return question;
}

}  // namespace certile::bench
