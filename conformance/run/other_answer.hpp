#pragma once
#include <span>
#include <string>

#include "conformance/run/session.hpp"

namespace certile::conformance {

// Returns a sentence if the wrong output of a call is the right one of another call: of an earlier call, of
// another concurrent call, or of the call of another shape that the rig makes next to concurrent calls; or if
// at least its wrong elements have the bytes that such an output has there.  That is what caches and buffers
// that several calls share do.  Empty if it is of no other call, and for strings.
std::string whose_answer(const Judged& failing, std::span<const PlannedCase* const> earlier);

}  // namespace certile::conformance
