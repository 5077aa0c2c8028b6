#pragma once
#include <optional>

#include "conformance/facts/outcome.hpp"
#include "conformance/judge/record.hpp"

namespace certile::conformance {

// Returns the output of a call, if it is small enough for a record: so that a reader of the record sees all
// wrong elements, and not only the first.  Nothing if there is none, or several, one for each concurrent
// call.
std::optional<SmallOutput> small_output(const Observation& seen);

}  // namespace certile::conformance
