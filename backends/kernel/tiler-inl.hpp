// Levels: the steps from a plan to the primitive that repeats blocks.
//
// A tiling is made level by level, innermost first: all blocks of a level that fit the scratch are repeated
// in one pass, which is the data of the next pass, and the last pass writes the output.  Depth first, each
// block would be copied right after it was written, while its bytes are still on their way to the cache.
// Periods that are larger than a pass are made again for each of their places.  The output is written in
// order, from front to back.
// For inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_TILER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_TILER_INL_HPP
#undef CERTILE_KERNEL_TILER_INL_HPP
#else
#define CERTILE_KERNEL_TILER_INL_HPP
#endif

#include "backends/kernel/climb-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// The size of a pass's output that the next pass reads; with the lines that are being written, it stays
// in a first-level cache of 32 KiB.
constexpr Size pass_size = 16 << 10;

// The bytes that may be read behind a pass's output.
constexpr Size margin = 64;

// Writes each of `blocks` consecutive blocks of `size` bytes `repeats` times.  `behind` bytes after the
// blocks may be read; their values do not matter.
HWY_NOINLINE void repeat_each(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size blocks, Size size,
                              Size repeats, Size behind) {
  const TilePlan::Level levels[] = {{1, blocks}, {repeats, 1}};
  Block block;
  block.data_end = from + blocks * size + behind;
  block.end = to + blocks * size * repeats;
  const int outer = climb(size, levels, 2, block);
  finish(block, outer > 0 ? blocks : 0);
  write_all_blocks(block, levels, outer, to, from);
}

// One tiling under way: the block of its climb, and the levels outside it.
struct Tiler {
  int count;  // levels; the innermost repeats the block, and index `count` is one repeat of the block
  // Of one block of a level: bytes of the data that it is made of, bytes of the output that it makes.
  Size data_size[TilePlan::capacity + 2], made_size[TilePlan::capacity + 2];
  Size repeats[TilePlan::capacity + 1], extent[TilePlan::capacity + 1];
  const Byte* kept_from = nullptr;  // the data of the period that is kept
  int kept_level = -1;              // -1: none is
  Block& single;                    // the block of the climb
  Block joined;                     // the same with neighbours or repeats joined: up to seven times the speed
  // A period of the data, kept for the next ranges; then the outputs of passes.  Each pass's output is at
  // most half of the next outer one's, so all fit into twice `pass_size`, and fewer than 16 are not empty.  A
  // margin behind each.
  HWY_ALIGN Byte memory[3 * pass_size + 20 * margin];

  // Takes the result of a climb.
  HWY_NOINLINE Tiler(const TilePlan& plan, const Byte* data, Block& block, int outer) : single(block) {
    count = outer + 1;
    data_size[count] = data_size[outer] = single.data;
    made_size[count] = single.size;
    made_size[outer] = single.made();
    repeats[outer] = single.repeats;
    extent[outer] = 1;
    for (int level = outer - 1; level >= 0; --level) {
      repeats[level] = plan.levels()[level].repeats;
      extent[level] = plan.levels()[level].extent;
      data_size[level] = extent[level] * data_size[level + 1];
      made_size[level] = repeats[level] * extent[level] * made_size[level + 1];
    }
    single.data_end = data + data_size[0];
    if (single.is_shuffled()) {
      joined = single;
      finish(joined, outer > 0 ? extent[outer - 1] : 1);
    } else {
      joined.joined = ~Size{0};  // never used: no row has as many blocks
    }
    finish(single, 0);
  }

  // Returns true if a level's period is the data as it is.
  HWY_INLINE bool is_data(int level) const { return level + 1 == count && !single.is_made(); }

  HWY_INLINE Byte* kept() { return memory; }
  HWY_INLINE Byte* scratch() { return kept() + pass_size + margin; }

  // Returns the bytes that a level repeats: all blocks of its extent.
  HWY_INLINE Size period(int level) const { return extent[level] * made_size[level + 1]; }

  // Writes consecutive blocks of the climb, each `times` times.
  void write_innermost(Byte* to, const Byte* from, Size blocks, Size times) {
    const bool is_joined = times == repeats[count - 1] && blocks >= joined.joined;
    Block& block = is_joined ? joined : single;
    if (!is_joined) block.repeats = times;
    block.end = to + blocks * single.size * times;
    block.set_row({1, blocks});
    way_to_write(block)(block, to, from);
  }

  // Writes `blocks` consecutive blocks of a level.  `spare` is scratch for the passes inside.
  void write_blocks(int level, Byte* to, const Byte* from, Size blocks, Byte* spare) {
    if (level + 1 >= count) return write_innermost(to, from, blocks, level == count ? 1 : repeats[level]);
    const Size repeated = period(level);
    if (repeated <= pass_size) {
      // Each pass inside writes at most half of what the pass outside it writes.
      const Size most = pass_size / repeated;
      for (Size done = 0; done < blocks;) {
        const Size now = blocks - done < most ? blocks - done : most;
        write_blocks(level + 1, spare, from, now * extent[level], spare + now * repeated + margin);
        repeat_each(to, spare, now, repeated, repeats[level], margin);
        to += now * made_size[level];
        from += now * data_size[level];
        done += now;
      }
      return;
    }
    // A longer period is made again for each of its places: to copy it from the first place is no faster.
    for (Size block = 0; block < blocks; ++block, from += data_size[level])
      for (Size time = 0; time < repeats[level]; ++time, to += repeated)
        write_blocks(level + 1, to, from, extent[level], spare);
  }

  // Returns the period of a level's block made of `from`, kept from the last call if it is the same.  To keep
  // it is worth 6 % of the speed of streamed outputs.
  const Byte* kept_period(int level, const Byte* from) {
    if (is_data(level)) return from;
    if (kept_level != level || kept_from != from)
      write_blocks(level + 1, kept(), from, extent[level], scratch());
    kept_level = level;
    kept_from = from;
    return kept();
  }

  // Writes the bytes [begin, end) of what a block of a level makes, the first of them to `to`.
  void write_range(int level, Byte* to, const Byte* from, Size begin, Size end) {
    const Size repeated = period(level);
    if (level == count - 1 || repeated <= pass_size)
      return fill(to, end - begin, kept_period(level, from), repeated, begin % repeated,
                  is_data(level) ? static_cast<Size>(single.data_end - from) - repeated : margin);
    const Size made = made_size[level + 1];
    Size block = begin / made, at = begin;
    while (at < end) {
      const Size first = block * made, position = block % extent[level];
      const Byte* const data = from + position * data_size[level + 1];
      if (at > first || end < first + made) {
        const Size until = end < first + made ? end : first + made;
        write_range(level + 1, to + (at - begin), data, at - first, until - first);
        at = until;
        ++block;
        continue;
      }
      const Size whole = (end - at) / made, left = extent[level] - position;
      const Size now = whole < left ? whole : left;
      write_blocks(level + 1, to + (at - begin), data, now, scratch());
      at += now * made;
      block += now;
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
