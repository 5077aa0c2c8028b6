// Levels: the steps from a plan to the primitive that repeats blocks.
//
// A tiling is made level by level, innermost first: all blocks of a level that fit the scratch are repeated
// in one pass, which is the data of the next pass, and the last pass writes the output.  Depth first, each
// block would be copied right after it was written, while its bytes are still on their way to the cache.  The
// output is written in order, from front to back.
// For inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_TILER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_TILER_INL_HPP
#undef CERTILE_KERNEL_TILER_INL_HPP
#else
#define CERTILE_KERNEL_TILER_INL_HPP
#endif

#include "backends/kernel/repeat_each-inl.hpp"
#include "backends/shape/tile_plan.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// The size of a pass's output that the next pass reads; with the unfinished lines of the output, it stays in
// the first-level cache.
constexpr Size pass_size = 16 << 10;

// The bytes that may be read behind a pass's output.
constexpr Size margin = 64;

// The longest period whose repeats are copied from the first one; it stays in the second-level cache.
constexpr Size longest_copied = 512 << 10;

// One tiling under way.
struct Tiler {
  int count;  // levels; `count` itself stands for the run inside the innermost
  // Of one block of a level: bytes of the data that it is made of, bytes of the output that it makes.
  Size data_size[TilePlan::capacity + 1], made_size[TilePlan::capacity + 1];
  Size repeats[TilePlan::capacity], extent[TilePlan::capacity];
  const Byte* data_end;
  const Byte* kept_from;  // the data of the period that is kept
  int kept_level;         // -1: none is
  Cycle cycle;            // the last one that was useful
  // A period of the data, kept for the next ranges; then the outputs of passes.  Each is at most half as long
  // as that of the next outer pass, so fewer than 16 of them have any.  A margin behind each.
  HWY_ALIGN Byte memory[3 * pass_size + 20 * margin];

  HWY_INLINE Tiler(const TilePlan& plan, const Byte* data)
      : count(plan.count()), kept_from(nullptr), kept_level(-1) {
    data_size[count] = made_size[count] = plan.run_bits / 8;
    for (int level = count - 1; level >= 0; --level) {
      repeats[level] = plan.levels()[level].repeats;
      extent[level] = plan.levels()[level].extent;
      data_size[level] = extent[level] * data_size[level + 1];
      made_size[level] = repeats[level] * extent[level] * made_size[level + 1];
    }
    data_end = data + data_size[0];
  }

  // Returns how much of the data is behind a part of it.
  HWY_INLINE Size behind(const Byte* from, Size size) const {
    return static_cast<Size>(data_end - from) - size;
  }

  HWY_INLINE Byte* kept() { return memory; }
  HWY_INLINE Byte* scratch() { return kept() + pass_size + margin; }

  // Returns the bytes that a level repeats: all blocks of its extent.
  HWY_INLINE Size period(int level) const { return extent[level] * made_size[level + 1]; }

  // Returns true if a level's period is sooner copied than made again: if many of its bytes are written by
  // the innermost level, in blocks that are short and leave the end of a vector unused.
  HWY_INLINE bool is_slow_to_make(int level) const {
    const Size made = made_size[count - 1];
    Size passes = 1;  // bytes of the period for each byte that the innermost level writes
    for (int inside = level + 1; inside < count - 1; ++inside)
      passes *= repeats[inside];
    return made < 5 * line && made % line != 0 && passes < 4;
  }

  // Writes `blocks` consecutive blocks of a level.  `spare` is scratch for the passes inside.
  void write_blocks(int level, Byte* to, const Byte* from, Size blocks, Byte* spare) {
    if (level == count) return copy(to, from, blocks * data_size[level]);
    if (level == count - 1)
      return repeat_each(to, from, blocks, data_size[level], repeats[level],
                         behind(from, blocks * data_size[level]), cycle);
    const Size repeated = period(level);
    if (repeated <= pass_size) {
      // Each pass inside writes at most half of what the pass outside it writes.
      const Size most = pass_size / repeated;
      for (Size done = 0; done < blocks;) {
        const Size now = blocks - done < most ? blocks - done : most;
        write_blocks(level + 1, spare, from, now * extent[level], spare + now * repeated + margin);
        repeat_each(to, spare, now, repeated, repeats[level], margin, cycle);
        to += now * made_size[level];
        from += now * data_size[level];
        done += now;
      }
      return;
    }
    const bool is_copied = repeated <= longest_copied && is_slow_to_make(level);
    for (Size block = 0; block < blocks; ++block, from += data_size[level]) {
      const Byte* const first = to;
      for (Size time = 0; time < repeats[level]; ++time, to += repeated)
        if (is_copied && time > 0)
          copy_vectors(to, first, repeated);
        else
          write_blocks(level + 1, to, from, extent[level], spare);
    }
  }

  // Returns the period of a level's block made of `from`, kept from the last call if it is the same.
  const Byte* kept_period(int level, const Byte* from) {
    if (level == count - 1) return from;
    if (kept_level != level || kept_from != from)
      write_blocks(level + 1, kept(), from, extent[level], scratch());
    kept_level = level;
    kept_from = from;
    return kept();
  }

  // Writes the bytes [begin, end) of what a block of a level makes, the first of them to `to`.
  void write_range(int level, Byte* to, const Byte* from, Size begin, Size end) {
    if (level == count) return copy(to, from + begin, end - begin);
    const Size repeated = period(level);
    if (level == count - 1 || repeated <= pass_size)
      return fill(to, end - begin, kept_period(level, from), repeated, begin % repeated,
                  level == count - 1 ? behind(from, repeated) : margin);
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
