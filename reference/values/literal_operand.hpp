#pragma once
#include <string>

#include "reference/values/case.hpp"
#include "reference/values/literal_scanner.hpp"
#include "reference/values/result.hpp"

namespace certile {

// Reads a tensor as a literal spells it, type and then shape or elements or both, and leaves the scanner
// behind it. Elements come out in their canonical spelling, as many as the shape says.
Result<Operand> take_operand(LiteralScanner& scanner);

// Empty data has no braces, so `elements` is left out; empty repeats have them, so it is there.  Both
// spellings are read.
void drop_empty_elements(Operand& operand);
void spell_empty_elements(Operand& operand);

// Appends the canonical spelling.
void append_operand(std::string& text, const Operand& operand);

// Appends "f32[2,3]".
void append_type_and_shape(std::string& text, ElementType type, const Shape& shape);

}  // namespace certile
