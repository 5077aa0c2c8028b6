#pragma once
#include <cstddef>

#include "backends/kernel/tile_plan.hpp"

namespace certile {

// Fills `to` with what the plan makes of the data at `from`; the plan's units are bits of a packed type,
// whose stream fills each byte from the low bit up or from the high bit down.  Touches no byte but those of
// the data and of the output; the bits of the last byte that belong to no element become zero.  Allocates
// nothing; may be called from several threads at once.
void tile_packed(const TilePlan& plan, bool high_bit_first, const std::byte* from, std::byte* to) noexcept;

}  // namespace certile
