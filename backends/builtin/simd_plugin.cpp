// The byte kernel as a shared library, to measure the cost of a call through the C table, without certile
// around it.
#include <memory>

#include "backends/builtin/builtin.hpp"
#include "backends/kernel/tile_elements.hpp"

extern "C" __attribute__((visibility("default"))) std::int32_t certile_plugin_open(std::uint32_t,
                                                                                   std::uint32_t,
                                                                                   certile_plugin* plugin) {
  const certile::kernel::ByteKernel* const kernel = certile::kernel::best_byte_kernel();
  if (kernel == nullptr) return CERTILE_UNSUPPORTED;
  return certile::backends::fill_table(*plugin, {"simd-plugin", "1", true, certile::kernel::move_elements,
                                                 std::shared_ptr<const void>(kernel, [](const void*) {})});
}
