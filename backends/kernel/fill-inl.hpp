// Fills: a pattern of some bytes, over and over.  What is fastest depends on the length of its period:
//
//   up to 16 bytes   one shuffle of the pattern, which every target has for blocks of 16 bytes
//   up to 64 bytes   the same, on targets that shuffle 64 bytes at once
//   up to 1 KiB      the pattern is written out in the first-level cache, a period and some vectors long, so
//   that
//                    a load from any phase of it needs no seam
//   longer           copies of the pattern
//
// For inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_FILL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_FILL_INL_HPP
#undef CERTILE_KERNEL_FILL_INL_HPP
#else
#define CERTILE_KERNEL_FILL_INL_HPP
#endif

#include "backends/kernel/copy-inl.hpp"
#include "backends/kernel/ramps.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL
constexpr Size longest_shuffle = 64;
HWY_INLINE hn::Vec<Wide> shuffle(hn::Vec<Wide> pattern, hn::Vec<Wide> indices) {
  return hn::Vec<Wide>{_mm512_permutexvar_epi8(indices.raw, pattern.raw)};
}
// A pattern to shuffle: `size` bytes, of which no byte beyond `readable` is touched.
HWY_INLINE hn::Vec<Wide> load_pattern(const Byte* from, Size size, Size readable) {
  if (readable >= 64) return hn::LoadU(Wide(), from);
  return hn::Vec<Wide>{_mm512_maskz_loadu_epi8(~std::uint64_t{0} >> (64 - size), from)};
}
#else
constexpr Size longest_shuffle = 16;
HWY_INLINE hn::Vec<Wide> shuffle(hn::Vec<Wide> pattern, hn::Vec<Wide> indices) {
  return hn::TableLookupBytes(pattern, indices);
}
HWY_INLINE hn::Vec<Wide> load_pattern(const Byte* from, Size size, Size readable) {
  if (readable >= 16) return hn::LoadDup128(Wide(), from);
  HWY_ALIGN Byte block[16] = {};
  copy_short(block, from, size);
  return hn::LoadDup128(Wide(), block);
}
#endif

constexpr Size longest_extended = 1024;

// `size` bytes, fewer than a vector has.
HWY_INLINE void store_first(hn::Vec<Wide> bytes, Byte* to, Size size) {
  HWY_ALIGN Byte block[64];
  hn::Store(bytes, Wide(), block);
  copy_short(to, block, size);
}

// A fill with a period of at most `longest_shuffle` bytes, from `phase`, which is below it.
HWY_INLINE void fill_shuffled(Byte* to, Size size, hn::Vec<Wide> pattern, Size period, Size phase) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  const Byte* const indices = ramps[period].data();
  if (size < width) return store_first(shuffle(pattern, hn::LoadU(wide, indices + phase)), to, size);
  hn::StoreU(shuffle(pattern, hn::LoadU(wide, indices + phase)), wide, to);
  Size at = width - past_alignment(to, width);
  // Two chains of phases: one addition and one comparison for each vector would be slower than its store.
  const Size step = 2 * width % period;
  Size even = (phase + at) % period;
  Size odd = (even + width) % period;
  for (; at + 2 * width <= size; at += 2 * width) {
    hn::Store(shuffle(pattern, hn::LoadU(wide, indices + even)), wide, to + at);
    hn::Store(shuffle(pattern, hn::LoadU(wide, indices + odd)), wide, to + at + width);
    even += step;
    odd += step;
    even = even >= period ? even - period : even;
    odd = odd >= period ? odd - period : odd;
  }
  if (at + width <= size) {
    hn::Store(shuffle(pattern, hn::LoadU(wide, indices + even)), wide, to + at);
    at += width;
  }
  if (at < size) {
    const Size last = (phase + size - width) % period;
    hn::StoreU(shuffle(pattern, hn::LoadU(wide, indices + last)), wide, to + size - width);
  }
}

// A fill of at least one vector, with a period of at most `longest_extended` bytes.
HWY_INLINE void fill_extended(Byte* to, Size size, const Byte* pattern, Size period, Size phase) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  constexpr Size vectors = 4;
  HWY_ALIGN Byte extended[longest_extended + (vectors + 1) * 64];
  const Size needed = period + vectors * width;
  copy(extended, pattern, period);
  for (Size done = period; done < needed; done *= 2)
    copy(extended + done, extended, done < needed - done ? done : needed - done);

  hn::StoreU(hn::LoadU(wide, extended + phase), wide, to);
  Size at = width - past_alignment(to, width);
  Size offset = (phase + at) % period;
  const Size step = vectors * width % period;
  for (; at + vectors * width <= size; at += vectors * width) {
    for (Size part = 0; part < vectors; ++part)
      hn::Store(hn::LoadU(wide, extended + offset + part * width), wide, to + at + part * width);
    offset += step;
    offset = offset >= period ? offset - period : offset;
  }
  copy(to + at, extended + offset, size - at);
}

HWY_INLINE void fill_by_copies(Byte* to, Size size, const Byte* pattern, Size period, Size phase) {
  Size at = 0;
  while (at < size) {
    const Size rest = size - at, piece = period - phase < rest ? period - phase : rest;
    copy(to + at, pattern + phase, piece);
    at += piece;
    phase = 0;
  }
}

// Writes `size` bytes: those of the pattern, which has `period` of them, from `phase` on, over and over.
HWY_INLINE void fill(Byte* HWY_RESTRICT to, Size size, const Byte* HWY_RESTRICT pattern, Size period,
                     Size phase) {
  if (size <= period - phase) return copy(to, pattern + phase, size);
  if (period <= longest_shuffle)
    return fill_shuffled(to, size, load_pattern(pattern, period, period), period, phase);
  if (period <= longest_extended && size >= 4 * period && size >= 512)
    return fill_extended(to, size, pattern, period, phase);
  fill_by_copies(to, size, pattern, period, phase);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile
HWY_AFTER_NAMESPACE();
#endif
