#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "conformance/records/summary.hpp"

namespace certile {

// What a run says about one clause.
struct ClauseRow {
  enum class State { proven, violated, waived, in_doubt, not_exercised, text_defective, not_testable };
  std::string_view id, name, kind;  // kind: "ours" where the text is silent or wrong
  State state = State::not_exercised;
  std::string words;  // "proven by 7,240", "VIOLATED by 3, first: LITERAL", "not testable (nothing to run)"
};

// A row for every clause of the definitions asked for and of the contract, in page order, then for clauses of
// other definitions that were violated all the same.  The views live as long as the summary.
std::vector<ClauseRow> clause_rows(const Summary& summary);

// "31 of 31 clauses proven": the testable ones.
std::string clauses_proven(const std::vector<ClauseRow>& rows);

// The failures charged to one clause.
struct FailureGroup {
  std::string_view id;
  const Clause* clause = nullptr;  // null where neither the header nor a page has it
  std::int64_t total = 0;
  // At most `limit`: the plainest of all, then those that were asked again, then others; each of them by
  // plainness.
  std::vector<const Record*> shown;
};
std::vector<FailureGroup> failures_by_clause(const Summary& summary, std::size_t limit);

// "OV-T1-X4 zero-repeat (ours): 12 failures".
std::string heading(const FailureGroup& group);

}  // namespace certile
