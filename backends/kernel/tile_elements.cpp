#include "backends/kernel/tile_elements.hpp"

#include "backends/kernel/tile_packed.hpp"

namespace certile::kernel {

namespace {

const std::byte* bytes_of(const certile_tensor& tensor) noexcept {
  return static_cast<const std::byte*>(tensor.data);
}

// Moves packed elements, in a separate function, because a tiny call of others would pay for its registers.
[[gnu::noinline]] void move_packed(const ByteKernel& kernel, const TilePlan& plan, const certile_tensor& data,
                                   const certile_tensor& out, Range range, Stores stores) noexcept {
  tile_packed(plan, data.element_type == CERTILE_U1, bytes_of(data), static_cast<std::byte*>(out.data),
              range.begin, range.end, kernel, stores);
}

}  // namespace

void move_elements(const void* kernel, const TilePlan& plan, const certile_tensor& data,
                   const certile_tensor& out) noexcept {
  const auto& bytes = *static_cast<const ByteKernel*>(kernel);
  if (plan.run_bits % 8 == 0) return bytes.tile(plan, bytes_of(data), static_cast<std::byte*>(out.data));
  move_packed(bytes, plan, data, out, {0, out.byte_size}, stores_for(out.byte_size, data.byte_size, 1));
}

void move_range(const ByteKernel& kernel, const TilePlan& plan, const certile_tensor& data,
                const certile_tensor& out, Range range, Stores stores) noexcept {
  if (plan.run_bits % 8 != 0) return move_packed(kernel, plan, data, out, range, stores);
  kernel.tile_range(plan, bytes_of(data), static_cast<std::byte*>(out.data), range.begin, range.end, stores);
}

}  // namespace certile::kernel
