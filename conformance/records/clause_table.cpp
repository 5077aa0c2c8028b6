#include "conformance/records/clause_table.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

using State = ClauseState;

std::string words_for(State state, const Clause& clause, const ClauseTally& tally) {
  switch (state) {
    case State::proven:
      return "proven by " + with_thousands(tally.proven);
    case State::proven_so_far:
      return "proven so far by " + with_thousands(tally.proven);
    case State::violated:
      return "VIOLATED by " + with_thousands(tally.violated) + ", first: " + printable(tally.first_failure);
    case State::waived:
      if (tally.waived == 0)
        return "waived: asked by " + counted(tally.accepted, "waived failure") + ", proven by none";
      return "waived " + with_thousands(tally.waived);
    case State::in_doubt:
      return "in doubt: asked by " + counted(tally.failed, "failing case") + ", proven by none";
    case State::not_exercised:
      return "not exercised";
    case State::text_defective:
      return "text defective";
    case State::not_testable:
      break;
  }
  return "not testable (" + clause.untestable_because + ")";
}

// Returns true for wrong elements that do not show what is wrong: of one element, or zeros of any sign.
bool says_little(const Record& record) {
  const auto question = record.now().fault == Fault::elements ? parse_case(record.literal) : Error{};
  const auto is_zero = [](std::byte byte) { return (byte & std::byte{0x7f}) == std::byte{0}; };
  return question && (question->data.count() == 1 || (!question->data.bytes().empty() &&
                                                      std::ranges::all_of(question->data.bytes(), is_zero)));
}

}  // namespace

std::vector<ClauseRow> clause_rows(const Summary& summary) {
  std::vector<const Clause*> clauses = summary.clauses();
  for (const auto& [id, tally] : summary.tallies()) {
    const Clause* clause = summary.header().clause(id);
    const bool is_listed = std::ranges::find(clauses, clause) != clauses.end();
    if (clause != nullptr && tally.violated > 0 && !is_listed) clauses.push_back(clause);
  }
  std::vector<ClauseRow> rows;
  for (const Clause* clause : clauses) {
    const auto found = summary.tallies().find(clause->id);
    const ClauseTally tally = found == summary.tallies().end() ? ClauseTally{} : found->second;
    const State state = summary.state(*clause);
    rows.push_back({clause->id, clause->name, name(clause->kind), state, words_for(state, *clause, tally)});
  }
  return rows;
}

std::string clauses_proven(const std::vector<ClauseRow>& rows) {
  std::int64_t proven = 0, so_far = 0, testable = 0;
  for (const ClauseRow& row : rows) {
    if (row.state == State::proven) ++proven;
    if (row.state == State::proven_so_far) ++so_far;
    if (row.state != State::text_defective && row.state != State::not_testable) ++testable;
  }
  return with_thousands(proven) + " of " + with_thousands(testable) + " clauses proven" +
         (so_far > 0 ? ", " + with_thousands(so_far) + " so far" : std::string());
}

std::vector<FailureGroup> failures_by_clause(const Summary& summary, std::size_t limit) {
  std::vector<FailureGroup> groups;
  for (const auto& [id, tally] : summary.tallies()) {
    if (tally.violated == 0) continue;
    FailureGroup group{id, summary.header().clause(id), tally.violated, {}};
    // Failures with a command come first, of these those that show what is wrong, then the plainest.
    using Place = std::tuple<bool, bool, Plainness>;
    std::vector<std::pair<Place, const Record*>> all;
    for (const Record& record : summary.failures())
      if (record.now().charged == id)
        all.emplace_back(Place{record.reproduce().empty(), says_little(record), plainness_of(record.literal)},
                         &record);
    std::ranges::stable_sort(all, {}, &std::pair<Place, const Record*>::first);
    for (const auto& [place, record] : all)
      if (group.shown.size() < limit) group.shown.push_back(record);
    groups.push_back(std::move(group));
  }
  return groups;
}

std::string clause_name(const FailureGroup& group) {
  if (group.clause == nullptr) return {};
  const Clause::Kind kind = group.clause->kind;
  return group.clause->name + (kind == Clause::Kind::ours        ? " (ours)"
                               : kind == Clause::Kind::exclusion ? " (exclusion)"
                                                                 : "");
}

std::string heading(const FailureGroup& group) {
  std::string text = printable(group.id.empty() ? std::string_view("no clause") : group.id);
  if (group.clause != nullptr) text += " " + clause_name(group);
  return text + ": " + counted(group.total, "failure");
}

}  // namespace certile::conformance
