#pragma once
#include <optional>

#include "conformance/facts/outcome.hpp"
#include "conformance/judge/expectation.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/case.hpp"

namespace certile {

// Which clause a failure of a case breaks: the clause of its definition that has the role which describes the
// case best.

// Returns the clause by which the caller is entitled to an answer, broken where the backend refuses, fails,
// crashes or hangs instead: the most special rule that makes this call legal (negative repeat, zero repeat,
// scalar, promotion, …).
ClauseId answer_clause(const Case& question);

// Returns the rule that makes the first wrong dimension (or the rank) of `seen`, where `right` is expected.
ClauseId shape_clause(const Case& question, const Shape& right, const Shape& seen);

// Returns the clause that anything but the expected refusal breaks.  A text says which calls exist, rarely
// what becomes of others: a normative rule hands over to the page's exclusion.  Where `given`, the shape that
// came out, is the one that broadcasting gives, the text itself forbids the result.
ClauseId accepted_clause(const Case& question, const Reject& expected, const std::optional<Shape>& given);

// Returns the contract's clause for a fault that the rig found; none for faults of other kinds.
ClauseId contract_clause(Fault fault);

// Returns true for clauses that no case proves, but the door through which an implementation is reached.
bool is_of_the_door(ClauseId id);

}  // namespace certile
