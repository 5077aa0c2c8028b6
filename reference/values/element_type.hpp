#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
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

// A set of element types, in the order of the enumeration.
class TypeSet {
 public:
  // An iterator over the types of a set.
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = ElementType;
    constexpr Iterator() = default;
    constexpr explicit Iterator(std::uint32_t rest) noexcept : rest_(rest) {}
    constexpr ElementType operator*() const noexcept {
      return static_cast<ElementType>(std::countr_zero(rest_));
    }
    constexpr Iterator& operator++() noexcept {
      rest_ &= rest_ - 1;
      return *this;
    }
    constexpr Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    std::uint32_t rest_ = 0;  // the types not yet visited
  };

  constexpr TypeSet() = default;
  constexpr TypeSet(std::initializer_list<ElementType> types) {
    for (const ElementType type : types)
      insert(type);
  }
  constexpr void insert(ElementType type) noexcept { bits_ |= bit(type); }
  constexpr bool contains(ElementType type) const noexcept { return (bits_ & bit(type)) != 0; }
  constexpr bool empty() const noexcept { return bits_ == 0; }
  constexpr std::size_t size() const noexcept { return static_cast<std::size_t>(std::popcount(bits_)); }
  constexpr Iterator begin() const noexcept { return Iterator(bits_); }
  constexpr Iterator end() const noexcept { return Iterator(0); }
  friend constexpr TypeSet operator|(TypeSet left, TypeSet right) noexcept {
    return TypeSet(left.bits_ | right.bits_);
  }
  friend constexpr TypeSet operator&(TypeSet left, TypeSet right) noexcept {
    return TypeSet(left.bits_ & right.bits_);
  }
  friend constexpr TypeSet operator-(TypeSet left, TypeSet right) noexcept {
    return TypeSet(left.bits_ & ~right.bits_);
  }
  bool operator==(const TypeSet&) const = default;
  static constexpr TypeSet all() noexcept { return TypeSet((1U << element_type_count) - 1); }

 private:
  static_assert(element_type_count < 32);
  constexpr explicit TypeSet(std::uint32_t bits) noexcept : bits_(bits) {}
  static constexpr std::uint32_t bit(ElementType type) noexcept { return 1U << static_cast<unsigned>(type); }

  std::uint32_t bits_ = 0;
};
static_assert(std::forward_iterator<TypeSet::Iterator>);

// The types whose family in element_type.inc is signed_integer or unsigned_integer.
inline constexpr TypeSet integer_types = [] {
  TypeSet types;
#define ELEMENT_TYPE(name, bits, family, packing, number, format) \
  if (std::string_view(#family).ends_with("_integer")) types.insert(ElementType::name);
#include "reference/values/element_type.inc"
#undef ELEMENT_TYPE
  return types;
}();

}  // namespace certile
