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

}  // namespace certile::kernel
