#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/values/float_text.hpp"

namespace certile {

// Returns the pattern of the number nearest to a decimal, all of whose digits count; of two equally near ones
// the even pattern.  Returns nothing if rounding gives no finite number of the format, or zero for a decimal
// that is not zero.
std::optional<std::uint32_t> narrow_from_decimal(const FloatFormat& format, std::string_view decimal);

// Returns true if the magnitude of the decimal is below 1.
bool is_below_one(std::string_view decimal);

// Appends the decimal with the fewest digits that reads back as the finite `pattern` of a narrow float, of
// several the one nearest to its value; a whole number that needs no exponent is written without one.
void append_narrow_decimal(std::string& text, ElementType type, std::uint32_t pattern);

}  // namespace certile
