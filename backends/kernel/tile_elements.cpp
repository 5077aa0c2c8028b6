#include "backends/kernel/tile_elements.hpp"

#include "backends/kernel/tile_packed.hpp"

namespace certile::kernel {

void move_elements(const void* kernel, const TilePlan& plan, const certile_tensor& data,
                   const certile_tensor& out) noexcept {
  const auto* const from = static_cast<const std::byte*>(data.data);
  auto* const to = static_cast<std::byte*>(out.data);
  if (plan.run_bits % 8 != 0) return tile_packed(plan, data.element_type == CERTILE_U1, from, to);
  static_cast<const ByteKernel*>(kernel)->tile(plan, from, to);
}

}  // namespace certile::kernel
