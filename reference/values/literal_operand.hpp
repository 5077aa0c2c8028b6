#pragma once
#include <string>

#include "reference/values/case.hpp"
#include "reference/values/literal_scanner.hpp"
#include "reference/values/result.hpp"

namespace certile {

// Reads a tensor as a literal spells it, type and then shape or elements or both, and leaves the scanner
// after it.  Without braces the tensor has no elements.
Result<Tensor> take_operand(LiteralScanner& scanner);

// Appends the canonical spelling of data, which has braces if the tensor has elements.
void append_operand(std::string& text, const Tensor& operand);
// Appends the canonical spelling of repeats or an axis, which always has braces.
void append_spelled_operand(std::string& text, const Tensor& operand);

// Appends "f32[2,3]".
void append_type_and_shape(std::string& text, ElementType type, const Shape& shape);

}  // namespace certile
