// The climb: from a run outwards to the widest block whose data fits a shuffle.  The indices of a level are
// those of the level inside, for each of its blocks moved by the data of the blocks before it, so no byte of
// the output is read to repeat it.  For inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_CLIMB_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_CLIMB_INL_HPP
#undef CERTILE_KERNEL_CLIMB_INL_HPP
#else
#define CERTILE_KERNEL_CLIMB_INL_HPP
#endif

#include "backends/kernel/blocks-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// Appends `count` copies of the first `made` indices, the n-th of them raised by n times `step`.  May write
// up to a vector too far.
HWY_INLINE void repeat_indices(Byte* indices, Size made, Size count, Size step) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  auto moved = hn::Set(wide, static_cast<Byte>(step));
  const auto more = moved;
  for (Byte* to = indices + made; count > 0; --count, to += made, moved = hn::Add(moved, more))
    for (Size at = 0; at < made; at += width)
      hn::StoreU(hn::Add(hn::Load(wide, indices + at), moved), wide, to + at);
}

#if HWY_TARGET == HWY_AVX3_DL

// Calls `take(vector, place)` for each vector of `size` bytes, which are whole periods; the last vector ends
// with the last byte.  `make(place, phase)` makes the vector from its place and its phase in the period.
HWY_INLINE void for_vectors(Size size, Size period, auto make, auto take) {
  take(make(Size{0}, Size{0}), Size{0});
  if (size <= 64) return;
  for (Size place = 64, phase = 0; place + 64 < size; place += 64) {
    phase = ramps[period][phase + 64];
    take(make(place, phase), place);
  }
  const Size rest = ramps[period][64];  // whole periods end with the last vector
  take(make(size - 64, rest == 0 ? 0 : period - rest), size - 64);
}

// The fewest short blocks of a row that repay joining them in a small output.
constexpr Size fewest_joined = 8;

// Finds the blocks as climb() and finish() do, those of several levels in up to four vectors, without reading
// indices that were stored a moment before: a tiny call would wait for them.  An output that is one block is
// written at once; the result is negative then.  Worth a quarter of the speed of outputs up to 4 KiB.
HWY_INLINE int climb_in_registers(Size run, const TilePlan::Level* levels, int count, Block& block, Byte* to,
                                  const Byte* from) {
  const Wide wide;
  int level = count - 1;
  Size data = run, period = run, repeats = levels[level].repeats;
  if (run <= longest_shuffle) {
    // The byte of the data for each place; repeats of the period fill the vector.
    auto indices = hn::LoadU(wide, ramps[run].data());
    Size made = period * repeats;
    const auto keep = [&](hn::Vec<Wide> vector, Size place)
                          HWY_ATTR { hn::Store(vector, wide, block.indices + (place + 63) / 64 * 64); };
    const auto write = [&](hn::Vec<Wide> vector, Size place) HWY_ATTR {
      const auto all = First(data).load(from, nullptr);
      if (made >= 64)
        hn::StoreU(shuffle(all, vector), wide, to + place);
      else
        First(made).store(shuffle(all, vector), to);
    };
    for (; level > 0; --level) {
      const TilePlan::Level outer = levels[level - 1];
      Size extent = outer.extent;
      if (made > 64) break;
      if (made * extent > 256 || data * extent > 64) {
        if (made > 32 || extent < fewest_joined) break;
        extent = 64 / data < 256 / made ? 64 / data : 256 / made;
      }
      const Size next = made * extent;
      const __m512i step = _mm512_set1_epi16(static_cast<short>(data));
      const Byte* const quotient = quotients[made].data();
      const auto place_of = [step, quotient](Size at, hn::Vec<Wide> inner) HWY_ATTR {
        // Two bytes are multiplied as one number; nothing is carried, because block * data is at
        // most the place, which is below 256.
        const __m512i blocks = _mm512_loadu_si512(quotient + at);
        return hn::Vec<Wide>{_mm512_add_epi8(inner.raw, _mm512_mullo_epi16(blocks, step))};
      };
      data *= extent;
      repeats = outer.repeats;
      if (next > 64) {
        const auto make = [&](Size place, Size phase) HWY_ATTR {
          return place_of(place, shuffle(indices, indices_from(period, phase)));
        };
        made = next;
        if (level == 1 && repeats == 1 && extent == outer.extent) {
          for_vectors(made, period, make, write);
          return -1;
        }
        for_vectors(made, period, make, keep);
        if (extent < outer.extent) {
          block.set(data, made, 1);
          block.joined = extent;
          return level;
        }
        block.set(data, made, repeats);
        return level - 1;
      }
      indices = shuffle(place_of(0, indices), hn::LoadU(wide, ramps[next].data()));
      period = next;
      made = period * repeats;
    }
    if (made <= 64 * Block::most_vectors) {  // all repeats of a period are one block
      const auto make = [&](Size, Size phase) HWY_ATTR {
        return phase == 0 ? indices : shuffle(indices, indices_from(period, phase));
      };
      if (level == 0) {
        for_vectors(made, period, make, write);
        return -1;
      }
      for_vectors(made, period, make, keep);
      period = made;
      repeats = 1;
    } else {
      hn::Store(indices, wide, block.indices);
    }
  }
  block.set(data, period, repeats);
  return level;
}

#endif

// Finds the blocks of a tiling of runs by these levels, of which there is at least one, for finish(). Returns
// the number of levels outside the blocks.
HWY_NOINLINE int climb(Size run, const TilePlan::Level* levels, int count, Block& block) {
  const Wide wide;
  const Size most = Block::most_vectors * hn::Lanes(wide);
  int level = count - 1;
  Size data = run, size = run, repeats = levels[level].repeats;
  if (run <= longest_shuffle) {
    hn::Store(indices_from(run, 0), wide, block.indices);
    const Size made = size * repeats;
    if (made <= most) {
      for (Size at = hn::Lanes(wide), phase = 0; at < made; at += hn::Lanes(wide)) {
        phase = ramps[run][phase + hn::Lanes(wide)];
        hn::Store(indices_from(run, phase), wide, block.indices + at);
      }
      size = made;
      repeats = 1;
      for (; level > 0; --level) {
        const TilePlan::Level outer = levels[level - 1];
        if (data * outer.extent > longest_shuffle || size * outer.extent > most) break;
        repeat_indices(block.indices, size, outer.extent - 1, data);
        data *= outer.extent;
        size *= outer.extent;
        repeats = outer.repeats;
        if (size * repeats > most) {
          --level;
          break;
        }
        repeat_indices(block.indices, size, repeats - 1, 0);
        size *= repeats;
        repeats = 1;
      }
    }
  }
  block.set(data, size, repeats);
  return level;
}

// Joins blocks that are consecutive in the data as well, up to `extent` in a row, if whole vectors for each
// would waste more than a quarter of them.  Worth 2 % in the mean of random shapes, and three times the speed
// of rows of short blocks: f64[5,2,22,1] x i64{3,1,1,3}.
HWY_INLINE void join_rows(Block& block, Size extent) {
  const Size by_data = longest_shuffle / block.data;
  const Size by_size = Block::most_vectors * hn::Lanes(Wide()) / block.size;
  const Size most = by_data < by_size ? by_data : by_size, joined = most < extent ? most : extent;
  if (joined < 2 || !is_wasteful(block.size)) return;
  repeat_indices(block.indices, block.size, joined - 1, block.data);
  block.joined = joined;
  block.data *= joined;
  block.size *= joined;
}

// Joins repeats of a block: as many as recur after a few whole vectors, or else as fit the registers.  Worth
// 1 % in the mean, and up to 1.6 times the speed of short periods that are repeated too often for one block:
// f64[1,10,4] x i64{11,6,17}.
HWY_INLINE void join_repeats(Block& block) {
  const Size width = hn::Lanes(Wide()), most = Block::most_vectors * width;
  const Size period = block.size, made = block.made();
  // A period of 2^k * n bytes, n odd, recurs after n vectors, because vectors are powers of two.
  Size whole = (period >> __builtin_ctzll(period)) * width;
  while (whole < Block::fewest_with_tail * width)
    whole *= 2;
  if (whole > most) whole = most / period * period;
  if (whole <= period || whole > made || period % width == 0) return;
  extend(block.indices, period, whole + width);
  block.tail = made % whole;
  block.tail_phase = (made - width) % period;
  block.size = whole;
  block.repeats = made / whole;
}

// Moves the last vector's indices behind those of the others.
HWY_INLINE void line_up(Block& block) {
  const Wide wide;
  const Size width = hn::Lanes(wide), last = block.size / width * width;
  if (block.is_shuffled() && block.size > width && block.size > last)
    hn::Store(hn::LoadU(wide, block.indices + block.size - width), wide, block.indices + last);
}

// Makes a block that was found by climb() ready to be written, `extent` of them in a row; 0: neither rows nor
// repeats are joined.
HWY_INLINE void finish(Block& block, Size extent) {
  if (block.is_shuffled() && extent > 0) block.repeats > 1 ? join_repeats(block) : join_rows(block, extent);
  line_up(block);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
