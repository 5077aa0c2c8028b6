#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "reference/element_type.hpp"

namespace certile {

// The bit patterns of a type that wrong code gets wrong: NaNs with payloads first, infinities, -0,
// subnormals, extremes; of integers extremes and single bits.  At least four; none for boolean, u1, complex
// types and string.
std::span<const std::uint64_t> special_values(ElementType type);

// The empty one, NULs, invalid UTF-8, what literals must escape, and sizes around those that libraries treat
// specially.
std::span<const std::string> special_strings();

}  // namespace certile
