#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "reference/values/element_type.hpp"

namespace certile {

// Returns the bit patterns of a type on which wrong code fails: NaNs with payloads first, infinities, -0,
// subnormals, extremes; of integers extremes and single bits.  At least four; none for boolean, u1, complex
// types and string.
std::span<const std::uint64_t> special_values(ElementType type);

// Returns the empty string, NULs, invalid UTF-8, characters that literals must escape, and sizes around those
// that libraries treat specially.
std::span<const std::string> special_strings();

// Returns the same strings at the same places, but with the outermost characters of two, three and four
// bytes, and a combining one, instead of invalid UTF-8.
std::span<const std::string> special_utf8_strings();

}  // namespace certile
