#pragma once
#include <string>
#include <string_view>

#include "conformance/facts/outcome.hpp"
#include "reference/values/case.hpp"

namespace certile {

// What is told about a case that did not pass.  Words of a backend are made printable and cut short.

// "refused: MESSAGE", "crashed: signal 11 (SIGSEGV)", "gave no answer within 10000 ms"; empty for an output.
std::string message_of(const Outcome& outcome);

// "inferred f32[2,1], expected f32[1,2]", after `what`.
std::string wrong_shape(std::string_view what, ElementType type, const Shape& right, const Shape& seen);

// "gave f32[4,6]", "inferred f32[4,6]", or how it refused: where it is not the answer's content that counts.
std::string what_was_given(const Case& question, const Observation& seen, const Outcome& outcome);

// Adds the end of what the backend printed, if it printed anything.
void append_diagnostics(std::string& explanation, std::string_view diagnostics);

}  // namespace certile
