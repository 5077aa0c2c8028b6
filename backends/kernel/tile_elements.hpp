#pragma once
#include <cstddef>
#include <span>

#include "backends/kernel/tile_bytes.hpp"
#include "backends/shape/shape_rules.hpp"

namespace certile {

// Fills `to`, which has elements, with what the axes make of the data at `from`.  Elements of whole bytes are
// left to the kernel; so are packed ones where every run of them begins and ends with a byte, and the others
// are moved bit by bit.  `high_bit_first`: packed elements fill each byte from the high bit down.
void tile_elements(const ByteKernel& kernel, std::span<const Axis> axes, unsigned element_bits,
                   bool high_bit_first, const std::byte* from, std::byte* to) noexcept;

}  // namespace certile
