#pragma once
#include <deque>
#include <optional>

#include "conformance/explain/wrong_elements.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/run/session.hpp"

namespace certile::conformance {

// Returns the cases that show the failure again, the failing one last; none if one cannot be read.
std::deque<PlannedCase> cases_of(const Record& failure);

// Returns the case with the expected output and the one that the record has, as if it had been asked again.
// Nothing for an output that is not in the record, and for one that no call of the case can give.
std::optional<Judged> recorded_answer(const Record& failure);

// Returns the wrong elements of the output that the record has; nothing if it has none.
std::optional<WrongElements> recorded_elements(const Record& failure);

}  // namespace certile::conformance
