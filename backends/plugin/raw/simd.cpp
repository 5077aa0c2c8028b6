// The byte kernel as a shared library, to measure the cost of a call through the C table, without certile
// around it.
#include "backends/builtin/builtin.hpp"
#include "backends/kernel/tile_elements.hpp"

extern "C" __attribute__((visibility("default"))) std::int32_t certile_plugin_open(std::uint32_t,
                                                                                   std::uint32_t,
                                                                                   certile_plugin* plugin) {
  const certile::kernel::ByteKernel* const kernel = certile::kernel::best_byte_kernel();
  if (kernel == nullptr) return CERTILE_UNSUPPORTED;
  return certile::backends::fill_table(
      *plugin, {"simd-plugin", "1", true,
                [kernel](const certile::backends::OutputAxes& axes, const certile_tensor& data,
                         const certile_tensor& out) {
                  certile::kernel::tile_elements(
                      *kernel, {axes.first, axes.count}, data.element_bits, data.element_type == CERTILE_U1,
                      static_cast<const std::byte*>(data.data), static_cast<std::byte*>(out.data));
                }});
}
