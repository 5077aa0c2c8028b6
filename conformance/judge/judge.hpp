#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "backends/plugin/claim.hpp"
#include "conformance/facts/outcome.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/record.hpp"

namespace certile {

// A case as the judge meets it.
struct Question {
  const Case& question;
  std::string_view literal;                    // canonical
  const std::vector<std::string_view>& cites;  // clauses that have it as an example
};

// True where the claim covers the case: definition, types and limits.  Outside it a refusal is `unsupported`.
bool inside_claim(const Claim& claim, const Case& question, const Expectation& expected);

// True where the expected output has no elements: a pass of the case proves nothing about contents.
bool has_no_elements(const Case& question, const Expectation& expected);

// Returns the clauses that the case exercises and that show through the backend's door.
std::vector<std::string_view> shown_clauses(const Question& asked, const Claim& claim,
                                            const Expectation& expected);

// Returns the failure of a backend that did not close as it should, after it had answered this case last.
Amendment judge_closing(const Record& record, const Outcome& ending, std::string_view diagnostics);

// (case, claim, observation, expectation) → record.  Pure: the same arguments give the same record.
Record judge(const Question& question, const Claim& claim, const Observation& seen,
             const Expectation& expected);

}  // namespace certile
