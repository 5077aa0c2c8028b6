// Blocks: what a tiling's innermost levels write.  A block's vectors are made of one load, or are several
// loads, and stay in registers while they are stored as often as the block is repeated.  What registers do
// not hold is a longer fill, which reads its first period again.
//
// The last vector ends where the block does; of a block shorter than a vector, the next one overwrites the
// excess, so only the end of the output needs a shorter store.  For inclusion once per instruction set, by
// tile_bytes.cpp.
#if defined(CERTILE_KERNEL_BLOCKS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_BLOCKS_INL_HPP
#undef CERTILE_KERNEL_BLOCKS_INL_HPP
#else
#define CERTILE_KERNEL_BLOCKS_INL_HPP
#endif

#include "backends/kernel/fill-inl.hpp"
#include "backends/shape/tile_plan.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// Returns true if whole vectors for `made` bytes would leave more than a quarter of theirs unused.
HWY_INLINE bool is_wasteful(Size made) {
  const Size width = hn::Lanes(Wide());
  return made * 4 < (made + width - 1) / width * width * 3;
}

// The blocks of an output: `size` bytes each, `repeats` times, made of `data` bytes.  If a shuffle holds the
// data, `indices` names the byte of the data for each place, vector by vector; otherwise the block is the
// data.
struct Block {
  // The most vectors that registers hold, and the fewest of a block with a tail.  Copied blocks of five to
  // eight vectors gain nothing in the mean with longer vectors than those of SSE4; the worst shape loses a
  // quarter.
  static constexpr Size most_vectors = 8, fewest_with_tail = 4;
  // The bytes of an output that the smallest first-level cache holds.
  static constexpr Size first_cache = 32 << 10;
  Size data, size, repeats;
  Size tail, tail_phase;      // bytes of an unfinished repeat behind the others
  Size joined;                // consecutive blocks of a row that this one consists of
  Size back_data, back_size;  // by which the last block of a row overlaps the one before
  TilePlan::Level row;        // the level outside the block
  const Byte* data_end;
  Byte* end;  // of the output
  HWY_ALIGN Byte indices[(most_vectors + 1) * 64];

  Block() {}  // leaves the room as it is
  void set(Size data_bytes, Size block_bytes, Size times) {
    data = data_bytes;
    size = block_bytes;
    repeats = times;
    joined = 1;
    tail = back_data = back_size = 0;
    row = {1, 1};
  }
  bool is_shuffled() const { return data <= longest_shuffle; }
  Size made() const { return size * repeats + tail; }
  // Returns false if the block is the data as it is.
  bool is_made() const { return size != data; }
  // Makes that level the row of blocks, at least as many as were joined.
  void set_row(TilePlan::Level level) {
    row = level;
    if (joined == 1) return;
    row.extent = (level.extent + joined - 1) / joined;
    const Size too_many = row.extent * joined - level.extent;
    back_data = too_many * (data / joined);
    back_size = too_many * (size / joined);
  }
  // Returns true if registers hold the block.  Filling is faster for
  // - blocks shorter than a vector that are repeated,
  // - long repeats of blocks that waste a quarter of their vectors,
  // - long repeats that are worth storing without crossing lines, but not if the row is larger than the
  //   first-level cache: it waits for the next cache then.
  bool is_held() const {
    const Size width = hn::Lanes(Wide());
    if (size > most_vectors * width) return false;
    if (size < width && size <= longest_shuffle) return repeats == 1;
    if (made() < shortest_extended || size % width == 0) return true;
    const Size all = made() * row.extent * row.repeats;
    const bool may_align = all == made() || all <= first_cache;
    return !is_wasteful(size) && !(may_align && is_worth_aligning(made(), size));
  }
};

// Returns where a vector of a block begins: the last one ends where the block does.
template <Size vectors, Size which>
HWY_INLINE Size place_in(Size size) {
  const Size width = hn::Lanes(Wide());
  return which == 0 ? 0 : which + 1 < vectors ? which * width : size - width;
}

// Writes the blocks of a row, whose data begins at `from`, as often as the row is repeated, in as many
// vectors as a block has.  Returns the end of the output written.
template <Size vectors, bool shuffled>
HWY_NOINLINE Byte* write_held(const Block& block, Byte* to, const Byte* from) {
  const Wide wide;
  const Size data = block.data, size = block.size, repeats = block.repeats;
  const Byte *const whole = block.end - hn::Lanes(wide), *const data_end = block.data_end;
  const First loaded(shuffled || vectors == 1 ? data : 1), stored(vectors == 1 ? size : 1);
  const Size a1 = place_in<vectors, 1>(size), a2 = place_in<vectors, 2>(size);
  const Size a3 = place_in<vectors, 3>(size), a4 = place_in<vectors, 4>(size);
  const Size a5 = place_in<vectors, 5>(size), a6 = place_in<vectors, 6>(size);
  const Size a7 = place_in<vectors, 7>(size);
  const auto index = [&block](Size vector) HWY_ATTR {
    return hn::Load(Wide(), block.indices + (vector < vectors ? vector : 0) * hn::Lanes(Wide()));
  };
  const auto i0 = index(0), i1 = index(1);
  const auto i2 = index(2), i3 = index(3);
  const auto i4 = index(4), i5 = index(5);
  const auto i6 = index(6), i7 = index(7);
  const Size tail = block.tail, width = hn::Lanes(wide);
  Size rows_left = block.row.repeats;
  do {
    const Byte* here = from;
    Size left = block.row.extent;
    for (;;) {
      const auto all = shuffled       ? loaded.load_pattern(here, data_end)
                       : vectors == 1 ? loaded.load(here, data_end)
                                      : hn::LoadU(wide, here);
      const auto part = [&](auto indices, Size place) HWY_ATTR {
        return shuffled ? shuffle(all, indices) : vectors == 1 ? all : hn::LoadU(wide, here + place);
      };
      const auto v0 = shuffled ? shuffle(all, i0) : all;
      const auto v1 = part(i1, a1), v2 = part(i2, a2), v3 = part(i3, a3), v4 = part(i4, a4);
      const auto v5 = part(i5, a5), v6 = part(i6, a6), v7 = part(i7, a7);
      Size time = repeats;
      do {
        if (vectors > 1 || HWY_LIKELY(to <= whole))
          hn::StoreU(v0, wide, to);
        else
          stored.store(v0, to);
        if constexpr (vectors > 1) hn::StoreU(v1, wide, to + a1);
        if constexpr (vectors > 2) hn::StoreU(v2, wide, to + a2);
        if constexpr (vectors > 3) hn::StoreU(v3, wide, to + a3);
        if constexpr (vectors > 4) hn::StoreU(v4, wide, to + a4);
        if constexpr (vectors > 5) hn::StoreU(v5, wide, to + a5);
        if constexpr (vectors > 6) hn::StoreU(v6, wide, to + a6);
        if constexpr (vectors > 7) hn::StoreU(v7, wide, to + a7);
        to += size;
      } while (--time > 0);
      if constexpr (shuffled && vectors >= Block::fewest_with_tail) {
        if (tail > 0) {
          if (tail > width) hn::StoreU(v0, wide, to);
          if (tail > 2 * width) hn::StoreU(v1, wide, to + width);
          if (tail > 3 * width) hn::StoreU(v2, wide, to + 2 * width);
          if (vectors > 4 && tail > 4 * width) hn::StoreU(v3, wide, to + 3 * width);
          if (vectors > 5 && tail > 5 * width) hn::StoreU(v4, wide, to + 4 * width);
          if (vectors > 6 && tail > 6 * width) hn::StoreU(v5, wide, to + 5 * width);
          if (vectors > 7 && tail > 7 * width) hn::StoreU(v6, wide, to + 6 * width);
          to += tail;
          hn::StoreU(shuffle(all, hn::LoadU(wide, block.indices + block.tail_phase)), wide, to - width);
        }
      }
      if (--left == 0) break;
      here += data;
      if (left == 1) {
        here -= block.back_data;
        to -= block.back_size;
      }
    }
  } while (--rows_left > 0);
  return to;
}

// Writes one repeat of a shuffled block.
HWY_NOINLINE void write_once(const Block& block, Byte* to, const Byte* from) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  const auto all = First(block.data).load_pattern(from, block.data_end);
  const Byte* indices = block.indices;
  if (block.size <= width) return First(block.size).store(shuffle(all, hn::Load(wide, indices)), to);
  Byte* const last = to + block.size - width;
  for (; to < last; to += width, indices += width)
    hn::StoreU(shuffle(all, hn::Load(wide, indices)), wide, to);
  hn::StoreU(shuffle(all, hn::Load(wide, indices)), wide, last);
}

// Writes a block that the registers do not hold.
HWY_NOINLINE void write_block(const Block& block, Byte* to, const Byte* from) {
  const Size made = block.made();
  if (!block.is_shuffled()) return fill(to, made, from, block.size, 0, 0);
  if (block.size <= longest_shuffle) {
    const auto bytes = First(block.data).load_pattern(from, block.data_end);
    return fill_shuffled(to, made, shuffle(bytes, load_block(block.indices)), block.size, 0);
  }
  HWY_ALIGN Byte period[Block::most_vectors * 64];
  write_once(block, period, from);
  fill_extended(to, made, period, block.size, 0);
}

// Writes a row of blocks that registers do not hold, as often as the row is repeated.  None of them is
// joined, because joined blocks are short.
HWY_NOINLINE Byte* write_filled(const Block& block, Byte* to, const Byte* from) {
  for (Size rows_left = block.row.repeats; rows_left > 0; --rows_left)
    for (Size each = 0; each < block.row.extent; ++each, to += block.made())
      write_block(block, to, from + each * block.data);
  return to;
}

using WriteBlocks = Byte* (*)(const Block&, Byte*, const Byte*);

HWY_INLINE WriteBlocks way_to_write(const Block& block) {
  static constexpr WriteBlocks ways[][Block::most_vectors] = {
      {write_held<1, false>, write_held<2, false>, write_held<3, false>, write_held<4, false>,
       write_held<5, false>, write_held<6, false>, write_held<7, false>, write_held<8, false>},
      {write_held<1, true>, write_held<2, true>, write_held<3, true>, write_held<4, true>,
       write_held<5, true>, write_held<6, true>, write_held<7, true>, write_held<8, true>}};
  if (!block.is_held()) return write_filled;
  return ways[block.is_shuffled() ? 1 : 0][(block.size - 1) / hn::Lanes(Wide())];
}

// Writes the rows of `count` levels outside the block's, from front to back.
HWY_NOINLINE Byte* write_levels(WriteBlocks write, const Block& block, const TilePlan::Level* levels,
                                int count, Byte* to, const Byte* from) {
  if (count == 0) return write(block, to, from);
  Size data = block.data * block.row.extent - block.back_data;
  for (int level = 1; level < count; ++level)
    data *= levels[level].extent;
  for (Size time = 0; time < levels[0].repeats; ++time)
    for (Size each = 0; each < levels[0].extent; ++each)
      to = write_levels(write, block, levels + 1, count - 1, to, from + each * data);
  return to;
}

// Writes all blocks; `count` levels are outside them.
HWY_INLINE void write_all_blocks(Block& block, const TilePlan::Level* levels, int count, Byte* to,
                                 const Byte* from) {
  block.set_row(count > 0 ? levels[count - 1] : TilePlan::Level{1, 1});
  const WriteBlocks write = way_to_write(block);
  if (count <= 1)
    write(block, to, from);
  else
    write_levels(write, block, levels, count - 1, to, from);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
