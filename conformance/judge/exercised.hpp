#pragma once
#include <string_view>
#include <vector>

#include "conformance/judge/expectation.hpp"
#include "reference/values/case.hpp"

namespace certile {

// Which clauses a case exercises, and what a pass proves.  Ids live as long as the program.

// Returns every testable clause of the definition and of the contract that a pass of this case proves, in the
// order of the pages. `cites` names clauses whose page has this very case as an example; they belong to it as
// well.
std::vector<std::string_view> exercised_clauses(const Case& question, const Expectation& expected,
                                                const std::vector<std::string_view>& cites);

// True for clauses that a pass without any element in the output still proves: the shape, the refusals, the
// types.
bool proven_without_elements(std::string_view id) noexcept;

// True for clauses about memory and threads that backend and caller share: not exercised by a backend in a
// process of its own.
bool needs_shared_memory(std::string_view id) noexcept;

// True for clauses that only an inferred shape proves: not exercised by answers of a backend that infers
// none.
bool proven_by_shape(std::string_view id) noexcept;

}  // namespace certile
