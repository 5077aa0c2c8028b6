#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/values/element_type.hpp"

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

// Returns true unless the pattern is an infinity or a NaN.
bool is_finite(const FloatFormat& format, std::uint64_t pattern) noexcept;

// Returns true if the format has infinities, as IEEE 754 defines them.
bool has_infinities(const FloatFormat& format) noexcept;

// Returns the value of a finite pattern of 16 bits or fewer, which is exact as a float.
float narrow_value(const FloatFormat& format, std::uint32_t pattern) noexcept;

// Returns true if the text matches -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
bool is_decimal(std::string_view text) noexcept;

// Returns the value of a decimal, correctly rounded; nothing if that is infinite, or is zero and the decimal
// is not.
std::optional<float> float_from_decimal(std::string_view decimal) noexcept;
std::optional<double> double_from_decimal(std::string_view decimal) noexcept;

// Appends the shortest decimal that reads back, whose exponent has no + and no leading zeros.
void append_decimal(std::string& text, float value);
void append_decimal(std::string& text, double value);

}  // namespace certile
