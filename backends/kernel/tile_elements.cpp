#include "backends/kernel/tile_elements.hpp"

#include "backends/kernel/tile_packed.hpp"

namespace certile::kernel {

void tile_elements(const ByteKernel& kernel, std::span<const backends::Axis> axes, unsigned element_bits,
                   bool high_bit_first, const std::byte* from, std::byte* to) noexcept {
  if (element_bits % 8 == 0) return kernel.tile(plan_tile(axes, element_bits / 8), from, to);
  TilePlan plan = plan_tile(axes, element_bits);
  if (plan.run % 8 != 0) return tile_packed(plan, high_bit_first, from, to);
  plan.run /= 8;
  kernel.tile(plan, from, to);
}

}  // namespace certile::kernel
