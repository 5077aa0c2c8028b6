// Blocks so short, and repeated so seldom, that a vector of the output holds several of them: each vector is
// one shuffle of a piece of the data.  After some vectors the pieces and their shuffles recur; that cycle is
// laid out once.  For inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_GATHER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_GATHER_INL_HPP
#undef CERTILE_KERNEL_GATHER_INL_HPP
#else
#define CERTILE_KERNEL_GATHER_INL_HPP
#endif

#include "backends/kernel/shuffle-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// The widest vector that one instruction can shuffle freely.
using Gathered = hn::CappedTag<Byte, longest_shuffle>;
HWY_INLINE hn::Vec<Gathered> pick(hn::Vec<Gathered> bytes, hn::Vec<Gathered> indices) {
#if HWY_TARGET == HWY_AVX3_DL
  return shuffle(bytes, indices);
#else
  return hn::TableLookupBytes(bytes, indices);
#endif
}

struct Cycle {
  static constexpr Size most_vectors = 64;
  Size size = 0, repeats = 0;    // of the blocks that the cycle is for
  Size vectors = 0, blocks = 0;  // in one cycle; none if these blocks have no such cycle
  Size reach = 0;                // bytes of the data that the cycle reads, from its first block on
  Size from[most_vectors];       // where the piece for each vector begins
  HWY_ALIGN Byte indices[most_vectors * longest_shuffle + longest_shuffle];
};

HWY_INLINE Size greatest_common_divisor(Size left, Size right) {
  while (right != 0) {
    const Size rest = left % right;
    left = right;
    right = rest;
  }
  return left;
}

// Lays out the cycle for blocks of `size` bytes, each repeated `repeats` times, unless `cycle` is that one
// already.
HWY_INLINE void lay_out(Cycle& cycle, Size size, Size repeats) {
  if (cycle.size == size && cycle.repeats == repeats) return;
  cycle.size = size;
  cycle.repeats = repeats;
  cycle.vectors = cycle.blocks = 0;
  const Gathered gathered;
  constexpr Size width = longest_shuffle;
  const Size made = size * repeats, common = greatest_common_divisor(made, width);
  const Size vectors = made / common, blocks = width / common;
  if (size > width || vectors > Cycle::most_vectors) return;
  // The place of each byte in the data, modulo 256.
  Byte* to = cycle.indices;
  for (Size block = 0; block < blocks; ++block) {
    const auto first = hn::Set(gathered, static_cast<Byte>(block * size));
    for (Size time = 0; time < repeats; ++time, to += size)
      hn::StoreU(hn::Add(hn::LoadU(gathered, ramps[size].data()), first), gathered, to);
  }
  for (Size vector = 0; vector < vectors; ++vector) {
    const Size begin = vector * width, block = begin / made, last_block = (begin + width - 1) / made;
    const Size in_block = begin - block * made, time = in_block / size;
    const Size piece = block * size + (time + 1 == repeats ? in_block - time * size : 0);
    if ((last_block + 1) * size - piece > width) return;
    cycle.from[vector] = piece;
    cycle.reach = piece + width;
    Byte* const indices = cycle.indices + begin;
    const auto relative = hn::Sub(hn::LoadU(gathered, indices), hn::Set(gathered, static_cast<Byte>(piece)));
    hn::StoreU(relative, gathered, indices);
  }
  cycle.vectors = vectors;
  cycle.blocks = blocks;
}

// Writes some cycles of up to four vectors, whose shuffles are held in registers.
template <Size vectors>
HWY_INLINE void gather_held(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size cycles, Size stride,
                            const Cycle& cycle) {
  const Gathered gathered;
  constexpr Size width = longest_shuffle;
  const auto held = [&cycle](Size vector) HWY_ATTR {
    return hn::LoadU(Gathered(), cycle.indices + (vector < vectors ? vector : 0) * width);
  };
  const auto i0 = held(0), i1 = held(1), i2 = held(2), i3 = held(3);
  const Size p0 = cycle.from[0], p1 = cycle.from[1], p2 = cycle.from[2], p3 = cycle.from[3];
  for (Size now = 0; now < cycles; ++now, from += stride, to += vectors * width) {
    hn::StoreU(pick(hn::LoadU(gathered, from + p0), i0), gathered, to);
    if constexpr (vectors > 1) hn::StoreU(pick(hn::LoadU(gathered, from + p1), i1), gathered, to + width);
    if constexpr (vectors > 2) hn::StoreU(pick(hn::LoadU(gathered, from + p2), i2), gathered, to + 2 * width);
    if constexpr (vectors > 3) hn::StoreU(pick(hn::LoadU(gathered, from + p3), i3), gathered, to + 3 * width);
  }
}

HWY_INLINE void gather(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size cycles, Size stride,
                       const Cycle& cycle) {
  const Gathered gathered;
  constexpr Size width = longest_shuffle;
  const Size vectors = cycle.vectors;
  const Size* const pieces = cycle.from;
  const Byte* const indices = cycle.indices;
  for (Size now = 0; now < cycles; ++now, from += stride)
    for (Size vector = 0; vector < vectors; ++vector, to += width)
      hn::StoreU(
          pick(hn::LoadU(gathered, from + pieces[vector]), hn::LoadU(gathered, indices + vector * width)),
          gathered, to);
}

// Writes as many whole cycles as can be read within `readable` bytes of the data.  Returns their number of
// blocks.
HWY_INLINE Size repeat_each_gathered(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size blocks,
                                     Size size, Size readable, const Cycle& cycle) {
  const Size stride = cycle.blocks * size;
  if (readable < cycle.reach || blocks < cycle.blocks) return 0;
  const Size readable_cycles = (readable - cycle.reach) / stride + 1, whole_cycles = blocks / cycle.blocks;
  const Size cycles = readable_cycles < whole_cycles ? readable_cycles : whole_cycles;
  switch (cycle.vectors) {
    case 1:
      gather_held<1>(to, from, cycles, stride, cycle);
      break;
    case 2:
      gather_held<2>(to, from, cycles, stride, cycle);
      break;
    case 3:
      gather_held<3>(to, from, cycles, stride, cycle);
      break;
    case 4:
      gather_held<4>(to, from, cycles, stride, cycle);
      break;
    default:
      gather(to, from, cycles, stride, cycle);
  }
  return cycles * cycle.blocks;
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
