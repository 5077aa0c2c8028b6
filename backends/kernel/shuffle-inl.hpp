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

// The bytes of a pattern that one instruction shuffles freely.
constexpr Size longest_shuffle = HWY_TARGET == HWY_AVX3_DL ? 64 : 16;

// Picks bytes of a pattern by their indices.
HWY_INLINE hn::Vec<Wide> shuffle(hn::Vec<Wide> pattern, hn::Vec<Wide> indices) {
#if HWY_TARGET == HWY_AVX3_DL
  return hn::Vec<Wide>{_mm512_permutexvar_epi8(indices.raw, pattern.raw)};
#else
  return hn::TableLookupBytes(pattern, indices);
#endif
}

// Loads up to longest_shuffle bytes into each block that `shuffle` picks from.
HWY_INLINE hn::Vec<Wide> load_block(const Byte* from) {
#if HWY_TARGET == HWY_AVX3_DL
  return hn::LoadU(Wide(), from);
#else
  return hn::LoadDup128(Wide(), from);
#endif
}

// The first 1 to 64 bytes of vectors: no others are loaded or stored.
#if HWY_TARGET == HWY_AVX3_DL

class First {
 public:
  explicit First(Size size) : mask_(~std::uint64_t{0} >> (64 - size)) {}
  HWY_INLINE hn::Vec<Wide> load(const Byte* from, const Byte*) const {
    return hn::Vec<Wide>{_mm512_maskz_loadu_epi8(mask_, from)};
  }
  HWY_INLINE hn::Vec<Wide> load_pattern(const Byte* from, const Byte* end) const { return load(from, end); }
  HWY_INLINE void store(hn::Vec<Wide> bytes, Byte* to) const {
    _mm512_mask_storeu_epi8(to, mask_, bytes.raw);
  }

 private:
  std::uint64_t mask_;
};

#else

class First {
 public:
  explicit First(Size size) : size_(size) {}
  // Loads bytes of data that ends at `end`.
  HWY_INLINE hn::Vec<Wide> load(const Byte* from, const Byte* end) const {
    if (HWY_LIKELY(static_cast<Size>(end - from) >= hn::Lanes(Wide()))) return hn::LoadU(Wide(), from);
    HWY_ALIGN Byte copied[64];
    return hn::Load(Wide(), copy_to(copied, from));
  }
  // Loads a pattern for shuffling, of up to longest_shuffle bytes.
  HWY_INLINE hn::Vec<Wide> load_pattern(const Byte* from, const Byte* end) const {
    if (HWY_LIKELY(static_cast<Size>(end - from) >= longest_shuffle)) return load_block(from);
    HWY_ALIGN Byte copied[64];
    return load_block(copy_to(copied, from));
  }
  HWY_NOINLINE void store(hn::Vec<Wide> bytes, Byte* to) const {
    HWY_ALIGN Byte copied[64];
    hn::Store(bytes, Wide(), copied);
    copy_short(to, copied, size_);
  }

 private:
  HWY_NOINLINE const Byte* copy_to(Byte* copied, const Byte* from) const {
    copy_short(copied, from, size_);
    return copied;
  }
  Size size_;
};

#endif

// Returns the indices of the vector of the repetition that begins with byte `phase` of the pattern.
HWY_INLINE hn::Vec<Wide> indices_from(Size period, Size phase) {
  return hn::LoadU(Wide(), &ramps[period][phase]);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
