#pragma once
#include <string_view>
#include <vector>

#include "conformance/judge/expectation.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

// The clauses that a case exercises, and what a pass proves.  Ids live as long as the program.

// Returns every testable clause of the definition and of the contract that a pass of this case proves, in the
// order of the pages.  `cites`: clauses whose page has this very case as an example, which are included.
std::vector<std::string_view> exercised_clauses(const Case& question, const Expectation& expected,
                                                const std::vector<std::string_view>& cites);

// Returns true for clauses that a pass proves even if the output has no elements: shapes, refusals, types.
bool proven_without_elements(std::string_view id) noexcept;

// Returns true for clauses about memory and threads that backend and caller share: a backend in a separate
// process does not exercise them.
bool needs_shared_memory(std::string_view id) noexcept;

// Returns true for clauses that only an inferred shape proves: a backend without `infer` does not exercise
// them.
bool proven_by_shape(std::string_view id) noexcept;

}  // namespace certile::conformance
