#include "conformance/records/clause_state.hpp"

namespace certile::conformance {

Bearing bearing_of(const Record& record, std::string_view clause, bool is_exercised,
                   bool proven_without_elements) {
  const Finding& found = record.now();
  const bool is_charged = found.charged == clause;
  switch (found.verdict) {
    case Verdict::fail:
      return is_charged ? Bearing::violates : is_exercised ? Bearing::doubts : Bearing::nothing;
    case Verdict::waived:
      return is_charged ? Bearing::waives : is_exercised ? Bearing::accepted : Bearing::nothing;
    case Verdict::pass:
      // A pass without elements could not fail on content.
      return is_exercised && (!record.judged.vacuous || proven_without_elements) ? Bearing::proves
                                                                                 : Bearing::nothing;
    case Verdict::not_run:
      return is_exercised ? Bearing::unasked : Bearing::nothing;
    case Verdict::stale_waiver:
    case Verdict::unsupported:
    case Verdict::inconclusive:
      break;
  }
  return Bearing::nothing;
}

void ClauseTally::add(Bearing bearing) noexcept {
  switch (bearing) {
    case Bearing::nothing:
      break;
    case Bearing::unasked:
      ++unasked;
      break;
    case Bearing::proves:
      ++proven;
      break;
    case Bearing::accepted:
      ++accepted;
      break;
    case Bearing::doubts:
      ++failed;
      break;
    case Bearing::waives:
      ++waived;
      break;
    case Bearing::violates:
      ++violated;
      break;
  }
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
