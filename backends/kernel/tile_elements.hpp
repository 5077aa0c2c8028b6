#pragma once
#include <cstddef>
#include <span>

#include "backends/kernel/tile_bytes.hpp"
#include "backends/shape/shape_rules.hpp"

namespace certile::kernel {

// Fills `to`, which has elements, with the tiling of the data at `from` by the axes.  The kernel moves
// whole-byte elements, and packed ones if every run of them begins and ends with a byte; other packed
// elements are moved bit by bit. `high_bit_first`: packed elements fill each byte from the high bit down.
void tile_elements(const ByteKernel& kernel, std::span<const backends::Axis> axes, unsigned element_bits,
                   bool high_bit_first, const std::byte* from, std::byte* to) noexcept;

}  // namespace certile::kernel
