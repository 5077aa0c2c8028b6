#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace certile {

// The type of one element: a row of element_type.inc.  Tile never interprets an element, so kernels dispatch
// on `bits`, not on the type: f32, i32 and u32 share a kernel.
enum class ElementType : std::uint8_t {
#define ELEMENT_TYPE(name, bits, family, packing, number, format) name,
#include "reference/values/element_type.inc"
#undef ELEMENT_TYPE
};
inline constexpr int element_type_count = 0
#define ELEMENT_TYPE(name, bits, family, packing, number, format) +1
#include "reference/values/element_type.inc"
#undef ELEMENT_TYPE
    ;

// The encoding of a float type's finite values.
struct FloatFormat {
  int width;
  int mantissa_bits;
  int bias;
  bool is_signed;                // false for f8e8m0 alone, whose patterns are powers of two
  std::uint64_t largest_finite;  // the pattern; those above it, sign aside, are infinities and NaNs
};

// Returns every type, in the order of the enumeration.
const std::array<ElementType, element_type_count>& all_element_types() noexcept;

// Returns "f32": the enumerator's own spelling.
std::string_view name(ElementType type) noexcept;

// Returns the type of that name; nothing if there is none.
std::optional<ElementType> element_type_named(std::string_view name) noexcept;

// Returns the width of one element: 4 for i4; 128 for string, whose element is a view (pointer and size).
constexpr int bits(ElementType type) noexcept {
  constexpr std::array<std::uint8_t, element_type_count> widths{
#define ELEMENT_TYPE(name, bits, family, packing, number, format) bits,
#include "reference/values/element_type.inc"
#undef ELEMENT_TYPE
  };
  return widths[static_cast<std::size_t>(type)];
}

// Returns true if elements are narrower than a byte, or do not fill whole bytes: they are densely packed
// across the whole tensor.
constexpr bool is_packed(ElementType type) noexcept {
  return bits(type) % 8 != 0;
}
// Returns true if packed elements fill each byte from the high bit down: u1.
bool is_high_bit_first(ElementType type) noexcept;

// Returns true for i4 i8 i16 i32 i64; the unsigned ones are u1 u2 u3 u4 u6 u8 u16 u32 u64.
bool is_signed_integer(ElementType type) noexcept;
bool is_unsigned_integer(ElementType type) noexcept;
bool is_integer(ElementType type) noexcept;

// Returns true for f16 bf16 f32 f64 nf4 f8e4m3 f8e5m2 f8e8m0 f4e2m1.
bool is_real(ElementType type) noexcept;

// Returns the format of a real type; nothing for nf4, whose patterns are a table, and for other types.
std::optional<FloatFormat> float_format(ElementType type) noexcept;

}  // namespace certile
