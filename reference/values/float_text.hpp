#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/values/element_type.hpp"

namespace certile {

// Returns true unless the pattern is an infinity or a NaN.
bool is_finite(const FloatFormat& format, std::uint64_t pattern) noexcept;

// Returns true for a format with infinities, as IEEE 754 has them.
bool has_infinities(const FloatFormat& format) noexcept;

// Returns the value of a finite pattern of 16 bits or fewer, which is one of f32 too.
float narrow_value(const FloatFormat& format, std::uint32_t pattern) noexcept;

// True for -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
bool is_decimal(std::string_view text) noexcept;

// The value of a decimal, correctly rounded; nothing where that is infinite, or zero though the decimal is
// not.
std::optional<float> float_from_decimal(std::string_view decimal) noexcept;
std::optional<double> double_from_decimal(std::string_view decimal) noexcept;

// Appends the shortest decimal that reads back, its exponent without + and leading zeros.
void append_decimal(std::string& text, float value);
void append_decimal(std::string& text, double value);

}  // namespace certile
