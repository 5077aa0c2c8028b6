// Tilings whose blocks all come from one register.  The tiling of the numbers 0, 1, 2, … gives the data's
// byte for each place; it is made once, and every block is a few shuffles by it.  This is one pass over whole
// vectors, instead of a pass over few bytes for each level.  For inclusion once per instruction set, by
// tile_bytes.cpp.
#if defined(CERTILE_KERNEL_INDEXED_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_INDEXED_INL_HPP
#undef CERTILE_KERNEL_INDEXED_INL_HPP
#else
#define CERTILE_KERNEL_INDEXED_INL_HPP
#endif

#include "backends/kernel/climb-inl.hpp"
#include "backends/kernel/small-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// The longest block whose indices are made, and the numbers of blocks from which they pay.
constexpr Size longest_indexed = 2048, fewest_small_indexed = 4, fewest_indexed = 12;

// Returns the outermost level whose blocks qualify by the sizes of their data and their output; the number of
// levels if none does.
HWY_INLINE int indexed_level(const Small& small, Size output, Size fewest) {
  Size data = small.run, made = small.run;
  int found = small.innermost + 1;
  for (int level = small.innermost; level >= 0; --level) {
    data *= small.levels[level].extent;
    made *= small.levels[level].extent * small.levels[level].repeats;
    if (data > longest_shuffle || made > longest_indexed || made * fewest > output) break;
    if (made >= hn::Lanes(Wide())) found = level;
  }
  return found;
}

// Writes all of the output in blocks of that level.
HWY_NOINLINE void tile_indexed(const Small& small, int level, Byte* begin, const Byte* from) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  Size data = small.run, made = small.run;
  for (int each = small.innermost; each >= level; --each) {
    data *= small.levels[each].extent;
    made *= small.levels[each].extent * small.levels[each].repeats;
  }
  HWY_ALIGN Byte indices[longest_indexed];
  const Byte* const numbers = ramps[longest_ramp].data();
#if HWY_TARGET == HWY_AVX3_DL
  tile_climbed(small.run, small.levels + level, small.innermost + 1 - level, indices, numbers, made);
#else
  Small block = small;
  block.data_end = numbers + longest_ramp;
  block.end = indices + made;
  block.innermost -= level;
  block.levels += level;
  block.data_size += level;
  if (block.innermost == 0) block.row = {1, 1};
  write_depth_first(block, indices, numbers);
#endif

  const auto last = hn::LoadU(wide, indices + made - width);
  const Byte* const data_end = small.data_end;
  const TilePlan::Level row = level > 0 ? small.levels[level - 1] : TilePlan::Level{1, 1};
  for_each_row(small, level - 1, begin, from, [&](Byte* to, const Byte* first) HWY_ATTR {
    for (Size times = row.repeats; times > 0; --times) {
      const Byte* here = first;
      for (Size left = row.extent; left > 0; --left, here += data, to += made) {
        const auto bytes = load_pattern(here, data, static_cast<Size>(data_end - here));
        for (Size at = 0; at + width < made; at += width)
          hn::StoreU(shuffle(bytes, hn::Load(wide, indices + at)), wide, to + at);
        hn::StoreU(shuffle(bytes, last), wide,
                   to + made - width);  // ends where the block does
      }
    }
    return to;
  });
}

#if HWY_TARGET == HWY_AVX3_DL

// Writes an output of at most `largest_small` bytes; the plan has levels.
HWY_INLINE void tile_small(const TilePlan& plan, const Byte* from, Byte* to) {
  tile_climbed(plan.run_bits / 8, plan.levels(), plan.count(), to, from, plan.output_bits / 8);
}

// The number of repeats of blocks from which making them once, in cache, and copying them is faster.
// Measured; any value from 4 to 8 is within a few per cent.
constexpr Size worth_copying = 8;

// Writes a larger output without reading any of it back, if that is the fastest way: where few vectors make a
// block.
HWY_NOINLINE bool tile_in_one_pass(const TilePlan& plan, const Byte* from, Byte* to, Size data_bytes,
                                   Size output_bytes) {
  Size sizes[TilePlan::capacity];
  const Small small(plan, from, to, data_bytes, output_bytes, sizes);
  if (const int level = indexed_level(small, output_bytes, fewest_indexed); level < small.innermost) {
    tile_indexed(small, level, to, from);
    return true;
  }
  Block block;
  block.end = to + output_bytes;
  const int outer = climb(plan.run_bits / 8, plan.levels(), plan.count(), block);
  const Size made = block.size * block.repeats;
  if (block.data > 64 || made < 64 || made > 4 * 64) return false;
  if (output_bytes >= data_bytes / block.data * made * worth_copying) return false;
  write_all_blocks(block, plan.levels(), outer, to, from);
  return true;
}

#else

// Writes an output of at most `largest_small` bytes; the plan has levels.
HWY_INLINE void tile_small(const TilePlan& plan, const Byte* from, Byte* to) {
  Size sizes[TilePlan::capacity], data_bytes = plan.run_bits / 8;
  for (int level = 0; level < plan.count(); ++level)
    data_bytes *= plan.levels()[level].extent;
  const Size output_bytes = plan.output_bits / 8;
  const Small small(plan, from, to, data_bytes, output_bytes, sizes);
  if (plan.count() > 2)
    if (const int level = indexed_level(small, output_bytes, fewest_small_indexed); level < small.innermost)
      return tile_indexed(small, level, to, from);
  write_depth_first(small, to, from);
}

// Writes a larger output without reading any of it back, if that is the fastest way.
HWY_NOINLINE bool tile_in_one_pass(const TilePlan& plan, const Byte* from, Byte* to, Size data_bytes,
                                   Size output_bytes) {
  Size sizes[TilePlan::capacity];
  const Small small(plan, from, to, data_bytes, output_bytes, sizes);
  const int level = indexed_level(small, output_bytes, fewest_indexed);
  if (level >= small.innermost) return false;
  tile_indexed(small, level, to, from);
  return true;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
