// The byte kernel, compiled once for each instruction set that the compiler has for this family of
// processors.
#include "backends/kernel/tile_bytes.hpp"

// Processors with SSSE3 and without SSE4 predate 2008.
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

// The kernels in order of preference.
constexpr ByteKernel kernels[] = {
#if HWY_TARGETS & HWY_AVX3_DL
    {"simd-avx512-vbmi", N_AVX3_DL::tile, N_AVX3_DL::tile_range, N_AVX3_DL::stream, N_AVX3_DL::repeat_bits,
     supports<HWY_AVX3_DL>},
#endif
#if HWY_TARGETS & HWY_AVX3
    {"simd-avx512", N_AVX3::tile, N_AVX3::tile_range, N_AVX3::stream, N_AVX3::repeat_bits,
     supports<HWY_AVX3>},
#endif
#if HWY_TARGETS & HWY_AVX2
    {"simd-avx2", N_AVX2::tile, N_AVX2::tile_range, N_AVX2::stream, N_AVX2::repeat_bits, supports<HWY_AVX2>},
#endif
#if HWY_TARGETS & HWY_SSE4
    {"simd-sse4", N_SSE4::tile, N_SSE4::tile_range, N_SSE4::stream, N_SSE4::repeat_bits, supports<HWY_SSE4>},
#endif
#if HWY_TARGETS & HWY_SVE2
    {"simd-sve2", N_SVE2::tile, N_SVE2::tile_range, N_SVE2::stream, N_SVE2::repeat_bits, supports<HWY_SVE2>},
#endif
#if HWY_TARGETS & HWY_SVE
    {"simd-sve", N_SVE::tile, N_SVE::tile_range, N_SVE::stream, N_SVE::repeat_bits, supports<HWY_SVE>},
#endif
#if HWY_TARGETS & HWY_NEON
    {"simd-neon", N_NEON::tile, N_NEON::tile_range, N_NEON::stream, N_NEON::repeat_bits, supports<HWY_NEON>},
#endif
};

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
