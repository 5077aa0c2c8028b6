#include "conformance/records/clause_state.hpp"

namespace certile::conformance {

std::int64_t ClauseTally::*bearing_of(const Record& record, std::string_view clause, bool is_exercised,
                                      bool proven_without_elements) {
  const Finding& found = record.now();
  const bool is_charged = found.charged == clause;
  if (found.verdict == Verdict::fail && is_charged) return &ClauseTally::violated;
  if (found.verdict == Verdict::waived && is_charged) return &ClauseTally::waived;
  if (!is_exercised) return nullptr;
  if (found.verdict == Verdict::fail) return &ClauseTally::failed;
  if (found.verdict == Verdict::waived) return &ClauseTally::accepted;
  if (found.verdict == Verdict::not_run) return &ClauseTally::unasked;
  // A pass without elements could not fail on content.
  const bool proves = found.verdict == Verdict::pass && (!record.judged.vacuous || proven_without_elements);
  return proves ? &ClauseTally::proven : nullptr;
}

ClauseState state_of(const Clause& clause, const ClauseTally& tally, bool lacks_records) {
  if (tally.violated > 0) return ClauseState::violated;
  if (tally.waived > 0) return ClauseState::waived;
  const bool was_cut = lacks_records || tally.unasked > 0;
  if (tally.proven > 0) return was_cut ? ClauseState::proven_so_far : ClauseState::proven;
  if (!clause.testable)
    return clause.untestable_because == "defective text" ? ClauseState::text_defective
                                                         : ClauseState::not_testable;
  if (tally.failed > 0) return ClauseState::in_doubt;
  return tally.accepted > 0 ? ClauseState::waived : ClauseState::not_exercised;
}

}  // namespace certile::conformance
