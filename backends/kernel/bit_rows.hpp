#pragma once
#include <cstddef>
#include <cstdint>

namespace certile::kernel {

// The rows of bits, consecutive in the data and in the output, that are each repeated.  Eight of them, a
// group, begin and end on bytes in both.
struct BitRows {
  std::uint64_t run, repeats;  // the bits of a row, and how often it is written
  bool high_bit_first;         // within a byte
  std::uint64_t groups;
  const std::byte *data, *from, *data_end;  // all data, of which the rows begin at `from`
  std::byte *to, *to_end;                   // where the rows go, and the end of all output
};

// Writes the first of the groups and returns how many: all, or those whose vectors end within the data and
// the output; none if it has no way to write such rows.  May write beyond them, up to `to_end`.
using RepeatBits = std::uint64_t (*)(const BitRows& rows) noexcept;

// Makes of `size` bytes of elements of 1, 2 or 4 bits one byte for each element, or packs `size` such bytes,
// which have no other bits, in place.  Up to 64 bytes behind are touched.
using Elements = void (*)(std::byte* elements, std::size_t size, unsigned bits, bool high_bit_first) noexcept;

}  // namespace certile::kernel
