// The byte kernel: one backend for each instruction set, so that a fault in one cannot hide behind another,
// and `simd`, the best of them.
#include <string>
#include <string_view>

#include "backends/builtin/builtin.hpp"
#include "backends/kernel/tile_elements.hpp"

namespace certile::backends {
namespace {

// Returns the kernel of that name if this processor supports it; null if there is none.
const kernel::ByteKernel* kernel_named(std::string_view name) {
  if (name == "simd") return kernel::best_byte_kernel();
  for (const kernel::ByteKernel& each : kernel::byte_kernels())
    if (each.name == name && each.supported()) return &each;
  return nullptr;
}

}  // namespace

bool supports_simd(std::string_view name) {
  return kernel_named(name) != nullptr;
}

std::int32_t open_simd(std::string_view name, certile_plugin& table) {
  const kernel::ByteKernel* const kernel = kernel_named(name);
  if (kernel == nullptr) return CERTILE_UNSUPPORTED;
  return fill_table(
      table, {std::string(name), "1", true,
              [kernel](const OutputAxes& axes, const certile_tensor& data, const certile_tensor& out) {
                kernel::tile_elements(
                    *kernel, {axes.first, axes.count}, data.element_bits, data.element_type == CERTILE_U1,
                    static_cast<const std::byte*>(data.data), static_cast<std::byte*>(out.data));
              }});
}

}  // namespace certile::backends
