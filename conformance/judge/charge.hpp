#pragma once
#include <optional>
#include <vector>

#include "conformance/facts/outcome.hpp"
#include "conformance/judge/expectation.hpp"
#include "reference/spec/clause.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

// Returns the roles that describe how the shape `seen` differs from the `right` one, the most specific first.
std::vector<Role> shape_roles(const Case& question, const Shape& right, const Shape& seen);

// A failure of a case breaks one clause: that of the case's definition whose role describes the case best.

// Returns the clause that entitles the caller to an answer, broken by a refusal or a failure instead: the
// most special rule that makes this call legal (negative repeat, scalar, promotion, …).
ClauseId answer_clause(const Case& question);

// Returns the rule that makes the first wrong dimension (or the rank) of `seen`, where `right` is expected.
ClauseId shape_clause(const Case& question, const Shape& right, const Shape& seen);

// Returns the clause that anything but the expected refusal breaks.  Texts say which calls exist, and rarely
// the result of others, so the page's exclusion replaces a normative rule.  If the actual shape `given` is
// that of broadcasting, the text itself forbids the result.
ClauseId accepted_clause(const Case& question, const Reject& expected, const std::optional<Shape>& given);

// Returns the contract's clause for a fault from the rig; none for other kinds of faults.
ClauseId contract_clause(Fault fault);

// Returns true for clauses that no case proves, but only the way in which an implementation is reached.
bool is_of_the_door(ClauseId id);

// Returns true for a fault that was seen to happen, so that its clause is broken whatever calls and
// surroundings it took.
bool has_happened(Fault fault);

// Returns the gravest fault from the rig, which is charged to the contract before the outcome.  If an
// expected refusal is missing, only damage counts, because the buffers were made for another call.
std::optional<Fault> gravest(const std::vector<Fault>& rig, bool only_damage);

}  // namespace certile::conformance
