// Shuffles and fills: a pattern of some bytes becomes any vector of its repetition.  Every target shuffles
// within blocks of 16 bytes, and AVX-512 VBMI within all 64.  A pattern that fits a shuffle is never read
// back from memory; a longer one is copied, from a few vectors in the first-level cache if it is short.  For
// inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_FILL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_FILL_INL_HPP
#undef CERTILE_KERNEL_FILL_INL_HPP
#else
#define CERTILE_KERNEL_FILL_INL_HPP
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
    HWY_ALIGN Byte copied[64] = {};  // because a compiler cannot see that no more than a vector is read
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

// Writes a fill with a period of at most `longest_shuffle` bytes, from `phase`, which is below the period.
HWY_INLINE void fill_shuffled(Byte* to, Size size, hn::Vec<Wide> pattern, Size period, Size phase) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  const auto first = shuffle(pattern, indices_from(period, phase));
  if (size < width) return First(size).store(first, to);
  hn::StoreU(first, wide, to);
  Size at = width - past_alignment(to, width);
  // A vector of the repetition has all bytes of the pattern, so one shuffle makes the vector a distance ahead
  // of it.  Four chains, because a shuffle takes longer than a store.
  const Byte* const ramp = ramps[period].data();
  const auto by_one = load_block(ramp + ramp[width]), by_two = shuffle(by_one, by_one);
  const auto by_four = shuffle(by_two, by_two);
  auto v0 = shuffle(pattern, indices_from(period, ramp[phase + at]));
  auto v1 = shuffle(v0, by_one), v2 = shuffle(v0, by_two), v3 = shuffle(v1, by_two);
  for (; at + 4 * width <= size; at += 4 * width) {
    hn::Store(v0, wide, to + at);
    hn::Store(v1, wide, to + at + width);
    hn::Store(v2, wide, to + at + 2 * width);
    hn::Store(v3, wide, to + at + 3 * width);
    v0 = shuffle(v0, by_four);
    v1 = shuffle(v1, by_four);
    v2 = shuffle(v2, by_four);
    v3 = shuffle(v3, by_four);
  }
  for (; at + width <= size; at += width, v0 = shuffle(v0, by_one))
    hn::Store(v0, wide, to + at);
  // The last vector ends with the output.
  if (at < size)
    hn::StoreU(shuffle(v0, load_block(ramp + period - ramp[at + width - size])), wide, to + size - width);
}

// Writes the first `period` bytes again behind themselves, up to `size` bytes in all.
HWY_NOINLINE void extend(Byte* bytes, Size period, Size size) {
  for (Size done = period; done < size; done *= 2)
    copy_vectors(bytes + done, bytes, done < size - done ? done : size - done);
}

// The longest pattern that is written out in the first-level cache, a period and some vectors long, so that a
// load from any phase of it needs no seam; and the shortest fill that repays this.
constexpr Size longest_extended = 1024, shortest_extended = 2048;

// The longest repetition of a pattern in whole vectors, which are loaded without crossing lines, and the
// shortest fill that repays writing it.  Worth nearly twice the speed in the first-level cache: f32[100] x
// i64{80}.
constexpr Size longest_recurring = 8 << 10, shortest_aligned = 6 << 10;

// Returns the bytes after which a period recurs in whole vectors.
HWY_INLINE Size recurring(Size period) {
  const Size width = hn::Lanes(Wide()), power = period & (~period + 1);
  return period * (power < width ? width / power : 1);
}

// Returns true if a fill is long enough to repay the repetition in whole vectors.
HWY_INLINE bool is_worth_aligning(Size size, Size period) {
  return size >= shortest_aligned && recurring(period) <= longest_recurring && size >= 4 * recurring(period);
}

HWY_INLINE void fill_extended(Byte* HWY_RESTRICT to, Size size, const Byte* HWY_RESTRICT pattern, Size period,
                              Size phase) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  constexpr Size vectors = 4;
  HWY_ALIGN Byte extended[longest_recurring + vectors * 64];
  Size at = width - past_alignment(to, width);
  // The pattern begins with the byte for the first aligned vector.
  const Size begin = (phase + at) % period;
  const Size length = is_worth_aligning(size, period) ? recurring(period) : period;
  copy_vectors(extended, pattern + begin, period - begin);
  copy_vectors(extended + period - begin, pattern, begin);
  extend(extended, period, length + vectors * width);

  hn::StoreU(hn::LoadU(wide, extended + (period - at % period) % period), wide, to);
  Size offset = 0;
  const Size step = vectors * width % length;
  for (; at + vectors * width <= size; at += vectors * width) {
    const Byte* const from = extended + offset;
    const auto v0 = hn::LoadU(wide, from), v1 = hn::LoadU(wide, from + width);
    const auto v2 = hn::LoadU(wide, from + 2 * width), v3 = hn::LoadU(wide, from + 3 * width);
    hn::Store(v0, wide, to + at);
    hn::Store(v1, wide, to + at + width);
    hn::Store(v2, wide, to + at + 2 * width);
    hn::Store(v3, wide, to + at + 3 * width);
    offset += step;
    offset = offset >= length ? offset - length : offset;
  }
  copy_vectors(to + at, extended + offset, size - at);
}

// Writes a fill from memory: the rest of a copy, whole copies, the beginning of another.
HWY_INLINE void fill_by_copies(Byte* to, Size size, const Byte* pattern, Size period, Size phase) {
  Size at = 0;
  while (at < size) {
    const Size rest = size - at, piece = period - phase < rest ? period - phase : rest;
    copy(to + at, pattern + phase, piece);
    at += piece;
    phase = 0;
  }
}

// Writes `size` bytes: the pattern, which has `period` bytes, repeated from `phase` on.  `behind` bytes after
// the pattern may be read; their values do not matter.
HWY_NOINLINE void fill(Byte* HWY_RESTRICT to, Size size, const Byte* HWY_RESTRICT pattern, Size period,
                       Size phase, Size behind) {
  if (size <= period - phase) return copy(to, pattern + phase, size);
  if (period <= longest_shuffle)
    return fill_shuffled(to, size, First(period).load_pattern(pattern, pattern + period + behind), period,
                         phase);
  if (period <= longest_extended && size >= 4 * period && size >= shortest_extended)
    return fill_extended(to, size, pattern, period, phase);
  fill_by_copies(to, size, pattern, period, phase);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
