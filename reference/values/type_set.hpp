#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string_view>

#include "reference/values/element_type.hpp"

namespace certile {

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
