#pragma once
#include <string>

#include "conformance/judge/record.hpp"
#include "conformance/records/record_json.hpp"

namespace certile::conformance {

// Returns what a page draws of a case: the data and the expected output as operands of a literal, and their
// bits in hexadecimal, one after the other; or the clause that refuses the case or leaves it open, and why.
// Null if the case cannot be read, has too many elements for a picture, or has only a shape.
Json picture_data(const std::string& literal);

// Returns the bits of the elements of an operand, as in `picture_data`; empty for strings, and for text that
// is no operand.
std::string bits_of_operand(const std::string& operand);

}  // namespace certile::conformance
