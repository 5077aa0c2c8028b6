#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/values/element_type.hpp"

namespace certile {

// Packed elements are one linear stream of bits: element k starts at bit k * bits, regardless of rows.
// The stream fills each byte from the low bit up, except u1, which fills it from the high bit down; ours
// [OV-T1-X14].

// Returns element `index` of a packed type, in the low bits of the answer.
std::uint8_t packed_element(ElementType type, std::span<const std::byte> bytes, std::size_t index) noexcept;

// Writes the low bits of `value` as element `index`, and leaves its neighbours unchanged.
void set_packed_element(ElementType type, std::span<std::byte> bytes, std::size_t index,
                        std::uint8_t value) noexcept;

// Writes the first `values.size()` elements of a packed type, each in the low bits of a byte.
void unpack_elements(ElementType type, std::span<const std::byte> bytes,
                     std::span<std::byte> values) noexcept;

// Writes the low bits of the values as the elements from `first` on, and leaves their neighbours unchanged.
void pack_elements(ElementType type, std::span<const std::byte> values, std::span<std::byte> bytes,
                   std::size_t first) noexcept;

// Returns a mask of the bits of the last byte of `count` elements that belong to elements; the others are
// padding, which no one reads.
std::byte used_bits_of_last_byte(ElementType type, std::int64_t count) noexcept;

}  // namespace certile
