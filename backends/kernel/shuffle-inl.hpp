// Byte shuffles: a short pattern, loaded once, becomes any vector of its repetition.  Every target shuffles
// within blocks of 16 bytes, and AVX-512 VBMI within all 64.  For inclusion once per instruction set, by
// tile_bytes.cpp.
#if defined(CERTILE_KERNEL_SHUFFLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_SHUFFLE_INL_HPP
#undef CERTILE_KERNEL_SHUFFLE_INL_HPP
#else
#define CERTILE_KERNEL_SHUFFLE_INL_HPP
#endif

#include "backends/kernel/copy-inl.hpp"
#include "backends/kernel/ramps.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// `shuffle` picks bytes of a pattern by their indices; `load_pattern` loads one of `size` bytes, of which
// `readable` may be read; `store_first` stores fewer bytes than a vector has.
#if HWY_TARGET == HWY_AVX3_DL

constexpr Size longest_shuffle = 64;

HWY_INLINE hn::Vec<Wide> shuffle(hn::Vec<Wide> pattern, hn::Vec<Wide> indices) {
  return hn::Vec<Wide>{_mm512_permutexvar_epi8(indices.raw, pattern.raw)};
}
HWY_INLINE hn::Vec<Wide> load_pattern(const Byte* from, Size size, Size readable) {
  if (readable >= longest_shuffle) return hn::LoadU(Wide(), from);
  return hn::Vec<Wide>{_mm512_maskz_loadu_epi8(~std::uint64_t{0} >> (64 - size), from)};
}
HWY_INLINE void store_first(hn::Vec<Wide> bytes, Byte* to, Size size) {
  _mm512_mask_storeu_epi8(to, (std::uint64_t{1} << size) - 1, bytes.raw);
}

#else

constexpr Size longest_shuffle = 16;

HWY_INLINE hn::Vec<Wide> shuffle(hn::Vec<Wide> pattern, hn::Vec<Wide> indices) {
  return hn::TableLookupBytes(pattern, indices);
}
HWY_INLINE hn::Vec<Wide> load_pattern(const Byte* from, Size size, Size readable) {
  if (readable >= longest_shuffle) return hn::LoadDup128(Wide(), from);
  HWY_ALIGN Byte block[64] = {};  // 64 bytes, because a compiler cannot see that the copy writes fewer
  copy_short(block, from, size);
  return hn::LoadDup128(Wide(), block);
}
HWY_INLINE void store_first(hn::Vec<Wide> bytes, Byte* to, Size size) {
  HWY_ALIGN Byte block[64];
  hn::Store(bytes, Wide(), block);
  copy_short(to, block, size);
}

#endif

// Returns the indices of the vector of the repetition that begins with byte `phase` of the pattern.
HWY_INLINE hn::Vec<Wide> indices_from(Size period, Size phase) {
  return hn::LoadU(Wide(), &ramps[period][phase]);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
