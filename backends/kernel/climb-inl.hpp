// Small outputs with AVX-512 VBMI: one load makes a block of several levels, and no byte of the output is
// read.
//
// The index vector of a level follows from the one of the level inside: the place i of its period is made of
// the inner level's byte for i, moved by the data of the inner blocks before it.  So a few instructions for
// each level lead to the widest block whose data fits one register; each block is a load, a shuffle for each
// of its vectors, and their stores.  The last vector ends where the block does; of a shorter block, the next
// one overwrites the excess, so that only the end of the output needs a masked store.
// For inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_CLIMB_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_CLIMB_INL_HPP
#undef CERTILE_KERNEL_CLIMB_INL_HPP
#else
#define CERTILE_KERNEL_CLIMB_INL_HPP
#endif

#include "backends/kernel/fill-inl.hpp"
#include "backends/shape/tile_plan.hpp"

#if HWY_TARGET == HWY_AVX3_DL
HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// The blocks of an output: `size` bytes for each, `repeats` times.  They are made of `data` bytes, of which
// vector k holds those that indices[k] names; or, if `data` is larger than a vector, they are the data.  The
// last of several vectors begins a vector before the block's end.
struct Block {
  static constexpr Size most_vectors = 8;
  Size data, size, repeats;
  TilePlan::Level outer, inner;  // the two levels outside the block
  Byte* end;                     // of the output
  hn::Vec<Wide> indices[most_vectors];
};

// The compiler keeps vectors in registers only where it unrolls their loops.
#ifdef __clang__
#define CERTILE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define CERTILE_UNROLL _Pragma("GCC unroll 8")
#endif

HWY_INLINE std::uint64_t first_bytes(Size count) {
  return ~std::uint64_t{0} >> (64 - count);
}

// Writes the blocks of the two levels, whose data begins at `from`, in as many vectors as a block has.
// Returns the end of the output written.
template <Size vectors, bool shuffled>
HWY_NOINLINE Byte* write_blocks(const Block& block, Byte* to, const Byte* from) {
  const Size data = block.data, size = block.size, repeats = block.repeats;
  const Size extent = block.inner.extent, times = block.inner.repeats, row = data * extent;
  const Size last = vectors > 1 ? size - 64 : 0;  // where the last vector begins
  const std::uint64_t loaded = first_bytes(shuffled ? data : 64),
                      stored = first_bytes(vectors > 1 ? 64 : size);
  const Byte* const whole = block.end - 64;  // up to here a vector may be stored
  __m512i indices[vectors];
  CERTILE_UNROLL
  for (Size vector = 0; vector < vectors; ++vector)
    indices[vector] = block.indices[vector].raw;
  Size outer_left = block.outer.repeats;
  do {
    const Byte* first = from;
    Size rows_left = block.outer.extent;
    do {
      Size inner_left = times;
      do {
        const Byte* here = first;
        Size left = extent;
        do {
          __m512i bytes[vectors];
          if constexpr (shuffled) {
            const __m512i all = _mm512_maskz_loadu_epi8(loaded, here);
            CERTILE_UNROLL
            for (Size vector = 0; vector < vectors; ++vector)
              bytes[vector] = _mm512_permutexvar_epi8(indices[vector], all);
          } else {
            CERTILE_UNROLL
            for (Size vector = 0; vector + 1 < vectors; ++vector)
              bytes[vector] = _mm512_loadu_si512(here + vector * 64);
            bytes[vectors - 1] = _mm512_loadu_si512(here + last);
          }
          here += data;
          Size time = repeats;
          do {
            CERTILE_UNROLL
            for (Size vector = 0; vector + 1 < vectors; ++vector)
              _mm512_storeu_si512(to + vector * 64, bytes[vector]);
            if (vectors > 1 || HWY_LIKELY(to <= whole))
              _mm512_storeu_si512(to + last, bytes[vectors - 1]);
            else
              _mm512_mask_storeu_epi8(to, stored, bytes[0]);
            to += size;
          } while (--time > 0);
        } while (--left > 0);
      } while (--inner_left > 0);
      first += row;
    } while (--rows_left > 0);
  } while (--outer_left > 0);
  return to;
}

// Writes a block that no number of vectors suits.
HWY_INLINE void write_block(const Block& block, Byte* to, const Byte* from) {
  if (block.data > 64) {
    for (Size time = 0; time < block.repeats; ++time, to += block.size)
      copy_vectors(to, from, block.size);
    return;
  }
  const hn::Vec<Wide> bytes{_mm512_maskz_loadu_epi8(first_bytes(block.data), from)};
  fill_shuffled(to, block.size * block.repeats, shuffle(bytes, block.indices[0]), block.size, 0);
}

HWY_NOINLINE Byte* write_other_blocks(const Block& block, Byte* to, const Byte* from) {
  const TilePlan::Level outer = block.outer, inner = block.inner;
  const Size made = block.size * block.repeats;
  for (Size outer_left = outer.repeats; outer_left > 0; --outer_left)
    for (Size row = 0; row < outer.extent; ++row)
      for (Size inner_left = inner.repeats; inner_left > 0; --inner_left)
        for (Size each = 0; each < inner.extent; ++each, to += made)
          write_block(block, to, from + (row * inner.extent + each) * block.data);
  return to;
}

// Writes the only block, of at most most_vectors.
HWY_INLINE void write_one_block(const Block& block, Byte* to, const Byte* from) {
  const __m512i all = _mm512_maskz_loadu_epi8(first_bytes(block.data), from);
  const hn::Vec<Wide>* indices = block.indices;
  if (block.size <= 64)
    return _mm512_mask_storeu_epi8(to, first_bytes(block.size), _mm512_permutexvar_epi8(indices->raw, all));
  Byte* const last = to + block.size - 64;
  for (; to < last; to += 64)
    _mm512_storeu_si512(to, _mm512_permutexvar_epi8((indices++)->raw, all));
  _mm512_storeu_si512(last, _mm512_permutexvar_epi8(indices->raw, all));
}

using WriteBlocks = Byte* (*)(const Block&, Byte*, const Byte*);

// Writes the blocks of `count` levels outside the two of the block, each of which spans that much data.
HWY_NOINLINE Byte* write_levels(WriteBlocks write, const Block& block, const TilePlan::Level* levels,
                                int count, Byte* to, const Byte* from) {
  if (count == 0) return write(block, to, from);
  Size data = block.data * block.inner.extent * block.outer.extent;
  for (int level = 1; level < count; ++level)
    data *= levels[level].extent;
  for (Size time = 0; time < levels[0].repeats; ++time)
    for (Size each = 0; each < levels[0].extent; ++each)
      to = write_levels(write, block, levels + 1, count - 1, to, from + each * data);
  return to;
}

// Returns true if the block's vectors fit the registers: some repeats of it make up each vector otherwise.
HWY_INLINE bool is_held(const Block& block) {
  const Size most = block.data <= 64 ? Block::most_vectors : 4;
  if (block.size > 64 * most) return false;
  return block.data > 64 || block.size > 64 || block.repeats == 1;
}

// Writes all blocks, of which the levels make up `count` levels.
HWY_INLINE void write_all_blocks(Block& block, const TilePlan::Level* levels, int count, Byte* to,
                                 const Byte* from) {
  static constexpr WriteBlocks shuffled[] = {
      write_blocks<1, true>, write_blocks<2, true>, write_blocks<3, true>, write_blocks<4, true>,
      write_blocks<5, true>, write_blocks<6, true>, write_blocks<7, true>, write_blocks<8, true>};
  static constexpr WriteBlocks copied[] = {write_blocks<2, false>, write_blocks<3, false>,
                                           write_blocks<4, false>};
  if (count == 0 && !is_held(block)) return write_block(block, to, from);
  if (count == 0 && block.repeats == 1 && block.data <= 64) return write_one_block(block, to, from);
  block.inner = count > 0 ? levels[count - 1] : TilePlan::Level{1, 1};
  block.outer = count > 1 ? levels[count - 2] : TilePlan::Level{1, 1};
  const Size vectors = (block.size + 63) / 64;
  WriteBlocks write = write_other_blocks;
  if (is_held(block)) write = block.data <= 64 ? shuffled[vectors - 1] : copied[vectors - 2];
  if (count <= 2)
    write(block, to, from);
  else
    write_levels(write, block, levels, count - 2, to, from);
}

// Returns the place within its period at which the last vector of some whole periods begins.
HWY_INLINE Size last_phase(Size period) {
  const Size rest = ramps[period][64];
  return rest == 0 ? 0 : period - rest;
}

// Finds the blocks of a tiling of runs by these levels, of which there is at least one.  Returns the number
// of levels outside the blocks.
HWY_INLINE int climb(Size run, const TilePlan::Level* levels, int count, Block& block) {
  const Wide wide;
  int level = count - 1;
  Size data = run, period = run, repeats = levels[level].repeats;
  if (run <= 64) {
    // The byte of the data for each place; it recurs with the period up to the end of the vector.
    auto indices = hn::LoadU(wide, ramps[run].data());
    Size made = period * repeats;
    for (; level > 0; --level) {
      const TilePlan::Level outer = levels[level - 1];
      const Size next = made * outer.extent;
      if (made > 64 || next > 256 || data * outer.extent > 64) break;
      const __m512i step = _mm512_set1_epi16(static_cast<short>(data));
      const Byte* const quotient = quotients[made].data();
      const auto place = [step, quotient](Size at, hn::Vec<Wide> inner) HWY_ATTR {
        const __m512i blocks = _mm512_loadu_si512(quotient + at);
        return hn::Vec<Wide>{_mm512_add_epi8(inner.raw, _mm512_mullo_epi16(blocks, step))};
      };
      data *= outer.extent;
      repeats = outer.repeats;
      if (next > 64) {
        const Size last = (next - 1) / 64;
        for (Size vector = 0, phase = 0; vector < last; ++vector) {
          block.indices[vector] = place(vector * 64, shuffle(indices, indices_from(period, phase)));
          phase = ramps[period][phase + 64];
        }
        block.indices[last] = place(next - 64, shuffle(indices, indices_from(period, last_phase(period))));
        block.data = data;
        block.size = next;
        block.repeats = repeats;
        return level - 1;
      }
      indices = shuffle(place(0, indices), hn::LoadU(wide, ramps[next].data()));
      period = next;
      made = period * repeats;
    }
    block.indices[0] = indices;
    if (made <= 64 * Block::most_vectors) {  // all repeats of a period are one block
      const Size last = (made - 1) / 64;
      for (Size vector = 1, phase = 0; vector < last; ++vector) {
        phase = ramps[period][phase + 64];
        block.indices[vector] = shuffle(indices, indices_from(period, phase));
      }
      if (last > 0) block.indices[last] = shuffle(indices, indices_from(period, last_phase(period)));
      period = made;
      repeats = 1;
    }
  }
  block.data = data;
  block.size = period;
  block.repeats = repeats;
  return level;
}

// Writes an output of `size` bytes, which are runs of the levels.
HWY_INLINE void tile_climbed(Size run, const TilePlan::Level* levels, int count, Byte* to, const Byte* from,
                             Size size) {
  Block block;
  block.end = to + size;
  const int outer = climb(run, levels, count, block);
  write_all_blocks(block, levels, outer, to, from);
}

#undef CERTILE_UNROLL

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
#endif
