#include "backends/kernel/tile_elements.hpp"

#include "backends/kernel/tile_packed.hpp"

namespace certile::kernel {

namespace {

// Moves packed elements, in a separate function, because a tiny call of others would pay for its registers.
[[gnu::noinline]] void move_packed(const ByteKernel& kernel, const TilePlan& plan, const certile_tensor& data,
                                   const certile_tensor& out) noexcept {
  tile_packed(plan, data.element_type == CERTILE_U1, static_cast<const std::byte*>(data.data),
              static_cast<std::byte*>(out.data), kernel, stores_for(out.byte_size, data.byte_size, 1));
}

}  // namespace

void move_elements(const void* kernel, const TilePlan& plan, const certile_tensor& data,
                   const certile_tensor& out) noexcept {
  const auto& bytes = *static_cast<const ByteKernel*>(kernel);
  if (plan.run_bits % 8 != 0) return move_packed(bytes, plan, data, out);
  bytes.tile(plan, static_cast<const std::byte*>(data.data), static_cast<std::byte*>(out.data));
}

}  // namespace certile::kernel
