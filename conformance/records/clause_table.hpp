#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "conformance/records/summary.hpp"

namespace certile::conformance {

// A row of the clause table: a run's result for one clause.
struct ClauseRow {
  std::string_view id, name, kind;  // kind: "ours" if the text omits the rule or gets it wrong
  ClauseState state = ClauseState::not_exercised;
  std::string words;  // "proven by 7,240", "VIOLATED by 3, first: LITERAL", "not testable (nothing to run)"
};

// Returns a row for every clause of the requested definitions and of the contract, in page order, then for
// violated clauses of other definitions.  The views live as long as the summary.
std::vector<ClauseRow> clause_rows(const Summary& summary);

// Returns "31 of 31 clauses proven", which counts the testable clauses, with ", 7 so far" in a run that was
// cut short.
std::string clauses_proven(const std::vector<ClauseRow>& rows);

// The failures charged to one clause.
struct FailureGroup {
  std::string_view id;
  const Clause* clause = nullptr;  // null if neither the header nor a page has the clause
  std::int64_t total = 0;
  // Those that have a command first, then those that show what is wrong, then by plainness.
  std::vector<const Record*> shown;
};
// Groups the failures by clause, and shows at most `limit` of each group.
std::vector<FailureGroup> failures_by_clause(const Summary& summary, std::size_t limit);

// Returns "zero-repeat (ours)", which names the kind of a clause that is not the text's; empty without a
// clause.
std::string clause_name(const FailureGroup& group);

// Returns "OV-T1-X4 zero-repeat (ours): 12 failures".
std::string heading(const FailureGroup& group);

}  // namespace certile::conformance
