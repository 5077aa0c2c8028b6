// Blocks of up to eight vectors, held in registers while their copies are stored: the copies need no common
// alignment and no seams.  In a block of at least a vector, the last vector ends where the block does; if a
// vector is longer, the next copy overwrites the excess.  For inclusion once per instruction set, by
// tile_bytes.cpp.
#if defined(CERTILE_KERNEL_HELD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_HELD_INL_HPP
#undef CERTILE_KERNEL_HELD_INL_HPP
#else
#define CERTILE_KERNEL_HELD_INL_HPP
#endif

#include "backends/kernel/shuffle-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

constexpr Size most_held = 8;

// Stores the first `vectors` of the named vectors.  The functions below exist for each number of vectors.
template <Size vectors>
HWY_INLINE void store_held(Byte* to, hn::Vec<Wide> v0, hn::Vec<Wide> v1, hn::Vec<Wide> v2, hn::Vec<Wide> v3,
                           hn::Vec<Wide> v4, hn::Vec<Wide> v5, hn::Vec<Wide> v6, hn::Vec<Wide> v7) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  hn::StoreU(v0, wide, to);
  if constexpr (vectors > 1) hn::StoreU(v1, wide, to + width);
  if constexpr (vectors > 2) hn::StoreU(v2, wide, to + 2 * width);
  if constexpr (vectors > 3) hn::StoreU(v3, wide, to + 3 * width);
  if constexpr (vectors > 4) hn::StoreU(v4, wide, to + 4 * width);
  if constexpr (vectors > 5) hn::StoreU(v5, wide, to + 5 * width);
  if constexpr (vectors > 6) hn::StoreU(v6, wide, to + 6 * width);
  if constexpr (vectors > 7) hn::StoreU(v7, wide, to + 7 * width);
}

// Returns where a vector of a block begins: the last vector ends where the block does.
template <Size vectors, Size which>
HWY_INLINE Size exactly(Size size) {
  const Size width = hn::Lanes(Wide());
  return which + 1 < vectors ? which * width : size - width;
}

// Writes each of the blocks, of at least a vector, `repeats` times; nothing beyond them is touched.
template <Size vectors>
HWY_INLINE void repeat_each_held_in(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size blocks,
                                    Size size, Size repeats) {
  const Wide wide;
  const Size a1 = exactly<vectors, 1>(size), a2 = exactly<vectors, 2>(size), a3 = exactly<vectors, 3>(size);
  const Size a4 = exactly<vectors, 4>(size), a5 = exactly<vectors, 5>(size), a6 = exactly<vectors, 6>(size);
  const Size a7 = exactly<vectors, 7>(size);
  for (Size block = 0; block < blocks; ++block, from += size) {
    const auto v0 = hn::LoadU(wide, from), v1 = hn::LoadU(wide, from + a1), v2 = hn::LoadU(wide, from + a2);
    const auto v3 = hn::LoadU(wide, from + a3), v4 = hn::LoadU(wide, from + a4),
               v5 = hn::LoadU(wide, from + a5);
    const auto v6 = hn::LoadU(wide, from + a6), v7 = hn::LoadU(wide, from + a7);
    for (Size time = 0; time < repeats; ++time, to += size) {
      hn::StoreU(v0, wide, to);
      if constexpr (vectors > 1) hn::StoreU(v1, wide, to + a1);
      if constexpr (vectors > 2) hn::StoreU(v2, wide, to + a2);
      if constexpr (vectors > 3) hn::StoreU(v3, wide, to + a3);
      if constexpr (vectors > 4) hn::StoreU(v4, wide, to + a4);
      if constexpr (vectors > 5) hn::StoreU(v5, wide, to + a5);
      if constexpr (vectors > 6) hn::StoreU(v6, wide, to + a6);
      if constexpr (vectors > 7) hn::StoreU(v7, wide, to + a7);
    }
  }
}

// Does the same for blocks shorter than a vector; both sides may be touched up to a vector beyond the last.
HWY_INLINE void repeat_each_within(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size blocks,
                                   Size size, Size repeats) {
  const Wide wide;
  for (Size block = 0; block < blocks; ++block, from += size) {
    const auto bytes = hn::LoadU(wide, from);
    for (Size time = 0; time < repeats; ++time, to += size)
      hn::StoreU(bytes, wide, to);
  }
}

// Returns the indices of a vector of a repetition, counted from the beginning of the pattern.
template <Size vectors, Size which>
HWY_INLINE hn::Vec<Wide> indices_held(Size period) {
  Size phase = 0;
  if constexpr (which > 0 && which < vectors) {
    const Size step = ramps[period][hn::Lanes(Wide()) - 1] + Size{1};  // at most the period
    for (Size vector = 0; vector < which; ++vector) {
      phase += step;
      phase = phase >= period ? phase - period : phase;
    }
  }
  return indices_from(period, phase);
}

// Does the same for blocks that fit a shuffle.  The registers hold the shuffles of the copies, which recur
// after that many vectors or are complete.
template <Size vectors>
HWY_INLINE void repeat_each_shuffled_in(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size blocks,
                                        Size size, Size repeats) {
  const Wide wide;
  const Size width = hn::Lanes(wide), made = size * repeats;
  const auto i0 = indices_held<vectors, 0>(size), i1 = indices_held<vectors, 1>(size);
  const auto i2 = indices_held<vectors, 2>(size), i3 = indices_held<vectors, 3>(size);
  const auto i4 = indices_held<vectors, 4>(size), i5 = indices_held<vectors, 5>(size);
  const auto i6 = indices_held<vectors, 6>(size), i7 = indices_held<vectors, 7>(size);
  const Size whole = made / (vectors * width) * (vectors * width);
  for (Size block = 0; block < blocks; ++block, from += size, to += made) {
    const auto pattern = load_pattern(from, size, longest_shuffle);
    const auto v0 = shuffle(pattern, i0), v1 = shuffle(pattern, i1);
    const auto v2 = shuffle(pattern, i2), v3 = shuffle(pattern, i3);
    const auto v4 = shuffle(pattern, i4), v5 = shuffle(pattern, i5);
    const auto v6 = shuffle(pattern, i6), v7 = shuffle(pattern, i7);
    Size at = 0;
    for (; at < whole; at += vectors * width)
      store_held<vectors>(to + at, v0, v1, v2, v3, v4, v5, v6, v7);
    if (at < made) hn::StoreU(v0, wide, to + at);
    if (vectors > 1 && at + width < made) hn::StoreU(v1, wide, to + at + width);
    if (vectors > 2 && at + 2 * width < made) hn::StoreU(v2, wide, to + at + 2 * width);
    if (vectors > 3 && at + 3 * width < made) hn::StoreU(v3, wide, to + at + 3 * width);
    if (vectors > 4 && at + 4 * width < made) hn::StoreU(v4, wide, to + at + 4 * width);
    if (vectors > 5 && at + 5 * width < made) hn::StoreU(v5, wide, to + at + 5 * width);
    if (vectors > 6 && at + 6 * width < made) hn::StoreU(v6, wide, to + at + 6 * width);
    if (vectors > 7 && at + 7 * width < made) hn::StoreU(v7, wide, to + at + 7 * width);
  }
}

// Returns after how many vectors the copies of such a block recur, or how many vectors there are; the result
// exceeds the number of registers if both are large.
HWY_INLINE Size held_shuffles(Size size, Size repeats) {
  const Size width = hn::Lanes(Wide());
  const Size all = (size * repeats + width - 1) / width;
  // A period of 2^k odd bytes recurs after as many vectors as its odd part, because vectors are powers of
  // two.
  const Size again = size <= width ? size >> __builtin_ctzll(size) : all;
  return again < all ? again : all;
}

// Calls the version of the function for that number of vectors.
#define CERTILE_FOR_VECTORS(function, vectors, ...) \
  switch (vectors) {                                \
    case 1:                                         \
      return function<1>(__VA_ARGS__);              \
    case 2:                                         \
      return function<2>(__VA_ARGS__);              \
    case 3:                                         \
      return function<3>(__VA_ARGS__);              \
    case 4:                                         \
      return function<4>(__VA_ARGS__);              \
    case 5:                                         \
      return function<5>(__VA_ARGS__);              \
    case 6:                                         \
      return function<6>(__VA_ARGS__);              \
    case 7:                                         \
      return function<7>(__VA_ARGS__);              \
    default:                                        \
      return function<8>(__VA_ARGS__);              \
  }

HWY_INLINE void repeat_each_held(Byte* to, const Byte* from, Size blocks, Size size, Size repeats) {
  const Size width = hn::Lanes(Wide());
  CERTILE_FOR_VECTORS(repeat_each_held_in, (size + width - 1) / width, to, from, blocks, size, repeats)
}

HWY_INLINE void repeat_each_shuffled(Byte* to, const Byte* from, Size blocks, Size size, Size repeats) {
  CERTILE_FOR_VECTORS(repeat_each_shuffled_in, held_shuffles(size, repeats), to, from, blocks, size, repeats)
}

#undef CERTILE_FOR_VECTORS

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
