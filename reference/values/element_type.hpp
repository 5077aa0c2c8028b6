#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace certile {

// What one element is.  Tile never looks inside an element, so kernels dispatch on
// `bits`, not on the type: f32, i32 and u32 take the same path.
enum class ElementType : std::uint8_t {
  boolean,
  i4,
  i8,
  i16,
  i32,
  i64,
  u1,
  u2,
  u3,
  u4,
  u6,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64,
  nf4,
  f8e4m3,
  f8e5m2,
  f8e8m0,
  f4e2m1,
  c64,
  c128,
  string,
};
inline constexpr int element_type_count = 27;

// Every type, in the order of the enumeration.
const std::array<ElementType, element_type_count>& all_element_types() noexcept;

// "f32": the enumerator's own spelling.
std::string_view name(ElementType type) noexcept;

// The type of that name; nothing when there is none.
std::optional<ElementType> element_type_named(std::string_view name) noexcept;

// Width of one element: 4 for i4; 128 for string, whose element is a view (pointer and size).
int bits(ElementType type) noexcept;

// True where elements are narrower than a byte, or do not fill whole bytes: they lie densely, back to back,
// across the whole tensor.
bool is_packed(ElementType type) noexcept;

// i4 i8 i16 i32 i64, or u1 u2 u3 u4 u6 u8 u16 u32 u64.
bool is_signed_integer(ElementType type) noexcept;
bool is_unsigned_integer(ElementType type) noexcept;
bool is_integer(ElementType type) noexcept;

// f16 bf16 f32 f64 nf4 f8e4m3 f8e5m2 f8e8m0 f4e2m1.
bool is_real(ElementType type) noexcept;

}  // namespace certile
