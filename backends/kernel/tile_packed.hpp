#pragma once
#include <cstddef>

#include "backends/shape/tile_plan.hpp"

namespace certile::kernel {

// Fills `to` with the tiling of the data at `from` by the plan, whose elements are of a packed type; the
// stream fills each byte from the low bit up or from the high bit down.  Touches only bytes of the data and
// of the output; the unused bits of the last byte become zero.  Allocates nothing; may be called from several
// threads at once.
void tile_packed(const backends::TilePlan& plan, bool high_bit_first, const std::byte* from,
                 std::byte* to) noexcept;

}  // namespace certile::kernel
