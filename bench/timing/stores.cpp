#include "bench/timing/stores.hpp"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// One copy of the loops per register width, each compiled for its own instruction set.  They share no inline
// function, because the linker would keep one copy for all.
namespace certile::bench {
namespace {

constexpr int fill_byte = 0x5a;

// Keeps the compiler from recognising the loop and calling memset or memcpy instead.
#define CERTILE_KEEP_LOOP() __asm__ volatile("" : : : "memory")

// The loops, for VECTOR registers loaded by LOAD, made by SPLAT and written by STORE; DONE follows the last.
#define CERTILE_STORE_LOOPS(NAME, TARGET, VECTOR, SPLAT, LOAD, STORE, DONE)                         \
  TARGET void fill_##NAME(std::span<std::byte> output) {                                            \
    constexpr std::size_t step = 4 * sizeof(VECTOR);                                                \
    std::byte* const out = output.data();                                                           \
    const VECTOR value = SPLAT(static_cast<char>(fill_byte));                                       \
    std::size_t at = 0;                                                                             \
    for (; at + step <= output.size(); at += step) {                                                \
      STORE(reinterpret_cast<VECTOR*>(out + at), value);                                            \
      STORE(reinterpret_cast<VECTOR*>(out + at + sizeof(VECTOR)), value);                           \
      STORE(reinterpret_cast<VECTOR*>(out + at + 2 * sizeof(VECTOR)), value);                       \
      STORE(reinterpret_cast<VECTOR*>(out + at + 3 * sizeof(VECTOR)), value);                       \
      CERTILE_KEEP_LOOP();                                                                          \
    }                                                                                               \
    for (; at + sizeof(VECTOR) <= output.size(); at += sizeof(VECTOR)) {                            \
      STORE(reinterpret_cast<VECTOR*>(out + at), value);                                            \
      CERTILE_KEEP_LOOP();                                                                          \
    }                                                                                               \
    if (at != output.size()) std::memset(out + at, fill_byte, output.size() - at);                  \
    DONE();                                                                                         \
  }                                                                                                 \
  TARGET void copy_##NAME(std::span<std::byte> output, std::span<const std::byte> source) {         \
    std::byte* out = output.data();                                                                 \
    std::size_t left = output.size();                                                               \
    while (left != 0) {                                                                             \
      const std::size_t piece = left < source.size() ? left : source.size();                        \
      const std::byte* const in = source.data();                                                    \
      std::size_t at = 0;                                                                           \
      for (; at + 2 * sizeof(VECTOR) <= piece; at += 2 * sizeof(VECTOR)) {                          \
        const VECTOR first = LOAD(reinterpret_cast<const VECTOR*>(in + at));                        \
        const VECTOR second = LOAD(reinterpret_cast<const VECTOR*>(in + at + sizeof(VECTOR)));      \
        STORE(reinterpret_cast<VECTOR*>(out + at), first);                                          \
        STORE(reinterpret_cast<VECTOR*>(out + at + sizeof(VECTOR)), second);                        \
        CERTILE_KEEP_LOOP();                                                                        \
      }                                                                                             \
      for (; at + sizeof(VECTOR) <= piece; at += sizeof(VECTOR)) {                                  \
        STORE(reinterpret_cast<VECTOR*>(out + at), LOAD(reinterpret_cast<const VECTOR*>(in + at))); \
        CERTILE_KEEP_LOOP();                                                                        \
      }                                                                                             \
      if (at != piece) std::memcpy(out + at, in + at, piece - at);                                  \
      out += piece;                                                                                 \
      left -= piece;                                                                                \
    }                                                                                               \
    DONE();                                                                                         \
  }

#define CERTILE_NOTHING()

#if defined(__x86_64__)

#define CERTILE_AVX512 __attribute__((target("avx512f")))
#define CERTILE_AVX2 __attribute__((target("avx2")))
CERTILE_STORE_LOOPS(512, CERTILE_AVX512, __m512i, _mm512_set1_epi8, _mm512_loadu_si512, _mm512_store_si512,
                    CERTILE_NOTHING)
CERTILE_STORE_LOOPS(512_non_temporal, CERTILE_AVX512, __m512i, _mm512_set1_epi8, _mm512_loadu_si512,
                    _mm512_stream_si512, _mm_sfence)
CERTILE_STORE_LOOPS(256, CERTILE_AVX2, __m256i, _mm256_set1_epi8, _mm256_loadu_si256, _mm256_store_si256,
                    CERTILE_NOTHING)
CERTILE_STORE_LOOPS(256_non_temporal, CERTILE_AVX2, __m256i, _mm256_set1_epi8, _mm256_loadu_si256,
                    _mm256_stream_si256, _mm_sfence)
CERTILE_STORE_LOOPS(128, , __m128i, _mm_set1_epi8, _mm_loadu_si128, _mm_store_si128, CERTILE_NOTHING)
CERTILE_STORE_LOOPS(128_non_temporal, , __m128i, _mm_set1_epi8, _mm_loadu_si128, _mm_stream_si128, _mm_sfence)

void fill_string(std::span<std::byte> output) {
  void* to = output.data();
  std::size_t words = output.size() / 8;
  __asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(0x0101010101010101 * fill_byte) : "memory");
  std::memset(to, fill_byte, output.size() % 8);
}

void copy_string(std::span<std::byte> output, std::span<const std::byte> source) {
  void* to = output.data();
  for (std::size_t left = output.size(); left != 0;) {
    const void* from = source.data();
    std::size_t piece = left < source.size() ? left : source.size();
    left -= piece;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(piece) : : "memory");
  }
}

StoreKernels choose() noexcept {
  StoreKernels chosen{fill_128, copy_128, fill_128_non_temporal, copy_128_non_temporal};
  if (__builtin_cpu_supports("avx512f"))
    chosen = {fill_512, copy_512, fill_512_non_temporal, copy_512_non_temporal};
  else if (__builtin_cpu_supports("avx2"))
    chosen = {fill_256, copy_256, fill_256_non_temporal, copy_256_non_temporal};
  chosen.fill_string = fill_string;
  chosen.copy_string = copy_string;
  return chosen;
}

#else

// The compiler's choice of register for 16 bytes.
using Vector = unsigned char __attribute__((vector_size(16)));
using Unaligned = Vector __attribute__((aligned(1)));

Vector splat(char value) {
  return Vector{} + static_cast<unsigned char>(value);
}
Vector load(const Vector* from) {
  return *reinterpret_cast<const Unaligned*>(from);
}
void store(Vector* to, Vector value) {
  *to = value;
}
CERTILE_STORE_LOOPS(plain, , Vector, splat, load, store, CERTILE_NOTHING)

StoreKernels choose() noexcept {
  return {fill_plain, copy_plain, nullptr, nullptr};
}

#endif

}  // namespace

const StoreKernels& store_kernels() noexcept {
  static const StoreKernels chosen = choose();
  return chosen;
}

}  // namespace certile::bench
