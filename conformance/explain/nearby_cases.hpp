#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "reference/values/case.hpp"

namespace certile::conformance {

// Returns cases that differ from this one by one step and are plainer in the order of record.hpp, the
// plainest first: without a placement or fill, with an axis less or only one, of a common type, with
// smaller numbers or fewer spelled elements.
std::vector<Case> plainer_cases(const Case& question);

// Returns cases with one dimension or repeat increased, or of a scalar with an axis more, the plainest first,
// whose outputs are small.
std::vector<Case> larger_cases(const Case& question);

// Returns the case with another axis in front, and of common types with rows of as many bytes.
std::vector<Case> cases_of_other_forms(const Case& question);

// Returns cases with one dimension or repeat changed, whose number of a property lies between two others,
// near the middle; see condition.hpp.
std::vector<Case> cases_between(const Case& question, std::size_t property, std::int64_t below,
                                std::int64_t above);

// How far two cases are from each other: first the number of things in which they differ, of which another
// type counts most, because it changes the bytes of rows and the code that moves them as well; then the sum
// of what their dimensions and repeats differ by.
using Distance = std::pair<int, std::int64_t>;
Distance distance_between(const Case& one, const Case& other);

}  // namespace certile::conformance
