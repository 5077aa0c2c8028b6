#pragma once
#include <cstdint>

#include "conformance/judge/case_traits.hpp"
#include "reference/spec/clause.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {

// A kind of proof: the part of a pass that proves a clause.
enum class Proof : std::uint8_t {
  shape,     // the inferred shape
  call,      // that the call was answered as expected
  run,       // the effects of `run`, also if the output is empty
  elements,  // elements at their places
};

// A rule for a role: the answered cases that exercise its clauses, and what a pass of one proves.
struct RoleRule {
  Proof proof;
  bool (*applies)(const CaseTraits& traits);
};

// Returns the rule of a role.  If the rule never applies, refusals exercise the clauses, or the transport
// through which an implementation is reached.
const RoleRule& rule_of(Role role) noexcept;

// Returns true if a failure that is charged to the clause breaks the level *text* of the definition:
// normative clauses, examples and the contract, except what the definition's text contradicts.  False for
// none.
bool counts_at_text(DefinitionId definition, ClauseId clause);

}  // namespace certile::conformance
