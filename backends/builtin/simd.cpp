// The byte kernel: one backend for each instruction set, so that a fault in one cannot hide behind another,
// and `simd`, the best of them.
#include <memory>
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
  // Kernels are static, so nothing owns them.
  return fill_table(table, {std::string(name), "1", true, kernel::move_elements,
                            std::shared_ptr<const void>(kernel, [](const void*) {})});
}

}  // namespace certile::backends
