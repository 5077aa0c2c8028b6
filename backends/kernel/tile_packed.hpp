#pragma once
#include <cstddef>
#include <cstdint>

#include "backends/kernel/tile_bytes.hpp"

namespace certile::kernel {

// Writes the bytes [begin, end) of the tiling of the data at `from` by the plan, whose elements are of a
// packed type; the tiling's first byte is at `to`, and the stream fills each byte from the low bit up or from
// the high bit down.  Touches only bytes of the data and of that range; the unused bits of the last byte
// become zero.  What is a tiling of whole bytes is written by the kernel; long parts of it with these stores,
// everything else with ordinary ones.  Allocates nothing; may be called from several threads at once.
void tile_packed(const TilePlan& plan, bool high_bit_first, const std::byte* from, std::byte* to,
                 std::uint64_t begin, std::uint64_t end, const ByteKernel& kernel, Stores stores) noexcept;

// Returns the bits of a repeat of the outermost level, if a range of the output is written sooner as copies
// of its first repeat: of packed elements in several levels, unless a repeat is short, or too long for the
// caches. Otherwise 0.
std::uint64_t copied_period(const TilePlan& plan) noexcept;

}  // namespace certile::kernel
