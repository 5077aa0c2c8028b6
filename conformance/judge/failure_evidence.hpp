#pragma once
#include <string>
#include <string_view>

#include "conformance/facts/outcome.hpp"
#include "conformance/judge/record.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

// Words about a case that did not pass.  A backend's words are made printable and shortened.

// Returns "refused: MESSAGE", "crashed with signal 11 (SIGSEGV)", "failed: MESSAGE", …; empty for an output.
std::string message_of(const Outcome& outcome);

// Returns "inferred f32[2,1], expected f32[1,2]", with `what` in front.
std::string wrong_shape(std::string_view what, ElementType type, const Shape& right, const Shape& seen);

// Returns "gave f32[4,6]", "inferred f32[4,6]", or the refusal, if the answer's content does not matter.
std::string what_was_given(const Case& question, const Observation& seen, const Outcome& outcome);

// Appends the end of what the backend printed, if it printed anything, and notes where that begins.
void append_diagnostics(Finding& finding, std::string_view diagnostics);

}  // namespace certile::conformance
