#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/values/float_text.hpp"

namespace certile {

// The pattern of the number that is nearest to a decimal; of two equally near ones the one whose pattern is
// even.  The decimal counts with all its digits, however many there are.  Nothing where rounding gives no
// finite number of the format, or gives zero though the decimal is not.
std::optional<std::uint32_t> narrow_from_decimal(const FloatFormat& format, std::string_view decimal);

// True for a decimal whose magnitude is below 1.
bool is_below_one(std::string_view decimal);

// Appends the decimal with the fewest digits that reads back as the finite `pattern` of a narrow float, of
// several the nearest to its value; a whole number that takes no exponent is written as it is.
void append_narrow_decimal(std::string& text, ElementType type, std::uint32_t pattern);

}  // namespace certile
