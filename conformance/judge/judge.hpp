#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/claim.hpp"
#include "conformance/facts/outcome.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/record.hpp"

namespace certile::conformance {

// A case, in the form that the judge takes.
struct Question {
  const Case& question;
  std::string_view literal;                    // canonical
  const std::vector<std::string_view>& cites;  // clauses that have the case as an example
};

// Returns true if the claim covers the case: definition, types and limits.  If not, it may be unsupported.
bool inside_claim(const Claim& claim, const Case& question, const Expectation& expected);

// Returns true if the expected output has no elements: a pass then proves nothing about contents.
bool has_no_elements(const Case& question, const Expectation& expected);

// Returns the clauses that the case exercises and that the backend's transport shows.
std::vector<std::string_view> shown_clauses(const Question& asked, const Claim& claim, Transport transport,
                                            const Expectation& expected);

// Returns the failure of a backend that did not close properly after this case, its last one.
Amendment judge_closing(const Record& record, const Outcome& ending, std::string_view diagnostics);

// Judges (case, claim, transport, observation, expectation).  The same arguments always give the same record.
Record judge(const Question& question, const Claim& claim, Transport transport, const Observation& seen,
             const Expectation& expected);

}  // namespace certile::conformance
