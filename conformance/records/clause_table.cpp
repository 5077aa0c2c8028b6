#include "conformance/records/clause_table.hpp"

#include <algorithm>
#include <tuple>

#include "conformance/text/printable.hpp"

namespace certile {
namespace {

using State = ClauseRow::State;

State state_of(const Requirement& requirement, const ClauseTally& tally) {
  if (tally.violated > 0) return State::violated;
  if (tally.waived > 0) return State::waived;
  if (tally.proven > 0) return State::proven;
  if (requirement.testable && tally.is_in_doubt()) return State::in_doubt;
  if (requirement.testable) return State::not_exercised;
  return requirement.untestable_because == "defective text" ? State::text_defective : State::not_testable;
}

std::string words_for(State state, const Requirement& requirement, const ClauseTally& tally) {
  switch (state) {
    case State::proven:
      return "proven by " + with_thousands(tally.proven);
    case State::violated:
      return "VIOLATED by " + with_thousands(tally.violated) + ", first: " + printable(tally.first_failure);
    case State::waived:
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
  return "not testable (" + requirement.untestable_because + ")";
}

}  // namespace

std::vector<ClauseRow> clause_rows(const Summary& summary) {
  std::vector<const Requirement*> requirements = summary.requirements();
  for (const auto& [id, tally] : summary.clauses()) {
    const Requirement* requirement = find_requirement(id);
    const bool is_listed = std::ranges::find(requirements, requirement) != requirements.end();
    if (requirement != nullptr && tally.violated > 0 && !is_listed) requirements.push_back(requirement);
  }
  std::vector<ClauseRow> rows;
  for (const Requirement* requirement : requirements) {
    const auto found = summary.clauses().find(requirement->id);
    const ClauseTally tally = found == summary.clauses().end() ? ClauseTally{} : found->second;
    const State state = state_of(*requirement, tally);
    rows.push_back({requirement->id, requirement->name, name(requirement->kind), state,
                    words_for(state, *requirement, tally)});
  }
  return rows;
}

std::string clauses_proven(const std::vector<ClauseRow>& rows) {
  std::int64_t proven = 0, testable = 0;
  for (const ClauseRow& row : rows) {
    if (row.state == State::proven) ++proven;
    if (row.state != State::text_defective && row.state != State::not_testable) ++testable;
  }
  return with_thousands(proven) + " of " + with_thousands(testable) + " clauses proven";
}

std::vector<FailureGroup> failures_by_clause(const Summary& summary, std::size_t limit) {
  std::vector<FailureGroup> groups;
  for (const auto& [id, tally] : summary.clauses()) {
    if (tally.violated == 0) continue;
    FailureGroup group{id, tally.violated, {}};
    // After the plainest of all, those that were asked again: their command is known to show the failure.
    struct Place {
      bool is_not_first, was_not_asked_again;
      Plainness plainness;
      const Record* record;
    };
    std::vector<Place> places;
    for (const Record& record : summary.failures())
      if (record.violated == id)
        places.push_back({record.case_literal != tally.first_failure, record.reproduce.empty(),
                          plainness_of(record.case_literal), &record});
    std::ranges::stable_sort(places, {}, [](const Place& place) {
      return std::tie(place.is_not_first, place.was_not_asked_again, place.plainness);
    });
    for (const Place& place : places)
      if (group.shown.size() < limit) group.shown.push_back(place.record);
    groups.push_back(std::move(group));
  }
  return groups;
}

std::string heading(const FailureGroup& group) {
  std::string text = printable(group.clause.empty() ? std::string_view("no clause") : group.clause);
  if (const Requirement* requirement = find_requirement(group.clause)) {
    text += " " + requirement->name;
    if (requirement->kind == Requirement::Kind::ours) text += " (ours)";
    if (requirement->kind == Requirement::Kind::exclusion) text += " (exclusion)";
  }
  return text + ": " + counted(group.total, "failure");
}

}  // namespace certile
