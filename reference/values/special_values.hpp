#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "reference/values/element_type.hpp"

namespace certile {

// The bit patterns of a type that wrong code gets wrong: NaNs with payloads first, infinities, -0,
// subnormals, extremes; of integers extremes and single bits.  At least four; none for boolean, u1, complex
// types and string.
std::span<const std::uint64_t> special_values(ElementType type);

// The empty one, NULs, invalid UTF-8, what literals must escape, and sizes around those that libraries treat
// specially.
std::span<const std::string> special_strings();

// As many, and at the same places the same ones, but for the invalid ones: they give way to the outermost
// characters of two, three and four bytes, and to a combining one.
std::span<const std::string> special_utf8_strings();

}  // namespace certile
