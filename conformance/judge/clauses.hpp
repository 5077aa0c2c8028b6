#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/facts/outcome.hpp"
#include "conformance/judge/expectation.hpp"
#include "reference/spec/spec.hpp"
#include "reference/values/case.hpp"

namespace certile {

// Which clauses a case speaks about, and which one a failure of it breaks.  Ids live as long as the program.

// Every testable clause of the operator and of the contract that a pass of this case proves, in the order of
// the pages. `cites` names clauses whose page has this very case as an example; they belong to it as well.
std::vector<std::string_view> exercised_clauses(const Case& question, const Expectation& expected,
                                                const std::vector<std::string_view>& cites);

// True for clauses that a pass without any element in the output still proves: the shape, the refusals, the
// types.
bool proven_without_elements(std::string_view id) noexcept;

// True for clauses about memory and threads that backend and caller share: not exercised by a backend in a
// process of its own.
bool needs_shared_memory(std::string_view id) noexcept;

// True for clauses that only an inferred shape proves: not exercised by a backend that infers none.
bool proven_by_shape(std::string_view id) noexcept;

// The clause by which a result is due, broken where the backend refuses, fails, crashes or hangs instead: the
// most special rule that makes this call legal (negative repeat, zero repeat, scalar, empty repeats,
// promotion, type, …).
std::string_view due_clause(const Case& question);

// The rule that makes the first wrong dimension (or the rank) of `seen`, where `right` was due.
std::string_view shape_clause(const Case& question, const Shape& right, const Shape& seen);

// Returns the clause that anything but a refusal breaks, where `refusing` is the rule by which the call is
// refused.  A text says which calls exist, rarely what becomes of others: a normative rule hands over to the
// page's exclusion.  Where `given`, the shape that came out, is the one that broadcasting gives, the text
// itself forbids the result.
std::string_view accepted_clause(const Case& question, std::string_view refusing,
                                 const std::optional<Shape>& given);

// Returns the clause by which elements have their places.
std::string_view value_clause(Operator op) noexcept;

// Returns the clause by which packed elements lie in memory as they do; empty where the operator has no
// packed types.
std::string_view layout_clause(Operator op) noexcept;

// Returns the clause by which shorter repeats are not broadcast; empty where the operator promotes, or has
// one repeat.  Any other end than an answer keeps it.
std::string_view no_broadcast_clause(Operator op) noexcept;

// The rule that the output's type is the data's.
std::string_view type_clause(Operator op) noexcept;

// The contract's clause for a fault that the rig found; empty for faults of other kinds.
std::string_view contract_clause(Fault fault) noexcept;

}  // namespace certile
