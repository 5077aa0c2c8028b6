// The byte kernel: one backend for each instruction set, so that a fault in one cannot hide behind another,
// and `simd`, the best of them.
#include <string>
#include <string_view>

#include "backends/kernel/tile_elements.hpp"
#include "backends/plugin/ruled_backend.hpp"

namespace certile {
namespace {

// The kernel of that name that this processor supports; null when there is none.
const ByteKernel* kernel_named(std::string_view name) {
  if (name == "simd") return best_byte_kernel();
  for (const ByteKernel& each : byte_kernels())
    if (each.name == name && each.supported()) return &each;
  return nullptr;
}

class Simd final : public RuledBackend {
 public:
  Simd(std::string_view name, const ByteKernel& kernel) : RuledBackend(claim(name)), kernel_(kernel) {}

 private:
  static Description claim(std::string_view name) {
    Description claim;
    claim.name = name;
    claim.version = std::string("1");  // g++ 12 warns of an assignment of one character at -O3
    claim.definitions = all_definitions();
    claim.types.assign(all_element_types().begin(), all_element_types().end());
    claim.repeats_types = readable_repeats_types();
    return claim;
  }

  void move_elements(std::span<const Axis> axes, TensorView data, MutableTensorView out) override {
    tile_elements(kernel_, axes, static_cast<unsigned>(bits(data.type)), data.type == ElementType::u1,
                  data.bytes.data(), out.bytes.data());
  }

  const ByteKernel& kernel_;
};

}  // namespace

bool supports_simd(std::string_view name) {
  return kernel_named(name) != nullptr;
}

std::unique_ptr<Backend> make_simd(std::string_view name) {
  const ByteKernel* const kernel = kernel_named(name);
  if (kernel == nullptr) return nullptr;
  return std::make_unique<Simd>(name, *kernel);
}

}  // namespace certile
