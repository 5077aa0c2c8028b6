// The byte kernel, compiled once for each instruction set that the compiler has for this family of
// processors.
#include "backends/kernel/tile_bytes.hpp"

// Only the Core 2 of 2006, the first Atoms and Bobcat have SSSE3 and not SSE4; there is no kernel for them.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/kernel/tile_bytes.cpp"
#include <hwy/cache_control.h>  // IWYU pragma: keep, for tile_bytes-inl.hpp
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Without vectors there is no kernel, because Highway's emulation is slower than plain copying.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "backends/kernel/tile_bytes-inl.hpp"
#endif

#if HWY_ONCE
namespace certile::kernel {
namespace {

template <std::int64_t target>
bool supports() {
  return (hwy::SupportedTargets() & target) != 0;
}

// The functions of a target, by the name of its namespace.
#define CERTILE_KERNEL(name, target) \
  {name,                             \
   N_##target::tile,                 \
   N_##target::tile_range,           \
   N_##target::stream,               \
   N_##target::unpack,               \
   N_##target::pack,                 \
   supports<HWY_##target>},

// The kernels in order of preference.
constexpr ByteKernel kernels[] = {
#if HWY_TARGETS & HWY_AVX3_DL
    CERTILE_KERNEL("simd-avx512-vbmi", AVX3_DL)
#endif
#if HWY_TARGETS & HWY_AVX3
        CERTILE_KERNEL("simd-avx512", AVX3)
#endif
#if HWY_TARGETS & HWY_AVX2
            CERTILE_KERNEL("simd-avx2", AVX2)
#endif
#if HWY_TARGETS & HWY_SSE4
                CERTILE_KERNEL("simd-sse4", SSE4)
#endif
#if HWY_TARGETS & HWY_SVE2
                    CERTILE_KERNEL("simd-sve2", SVE2)
#endif
#if HWY_TARGETS & HWY_SVE
                        CERTILE_KERNEL("simd-sve", SVE)
#endif
#if HWY_TARGETS & HWY_NEON
                            CERTILE_KERNEL("simd-neon", NEON)
#endif
};
#undef CERTILE_KERNEL

}  // namespace

std::span<const ByteKernel> byte_kernels() noexcept {
  return kernels;
}

const ByteKernel* best_byte_kernel() noexcept {
  static const ByteKernel* const best = []() -> const ByteKernel* {
    for (const ByteKernel& each : kernels)
      if (each.supported()) return &each;
    return nullptr;
  }();
  return best;
}

}  // namespace certile::kernel
#endif
