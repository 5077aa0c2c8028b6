// Outputs so small that laying anything out would take longer than writing them: depth first, every block
// loaded anew from the data, so that nothing is read that was just written. For inclusion once per
// instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_SMALL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_SMALL_INL_HPP
#undef CERTILE_KERNEL_SMALL_INL_HPP
#else
#define CERTILE_KERNEL_SMALL_INL_HPP
#endif

#include "backends/kernel/shuffle-inl.hpp"
#include "backends/kernel/tile_plan.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile {
namespace HWY_NAMESPACE {

constexpr Size largest_small = 2048;

struct Small {
  const Byte* data_end;
  Byte* end;  // of the output
  Size run, run_repeats;
  Size vectors;  // that the run makes; 0: too few, too many, or too long a run
  int innermost;
  const TilePlan::Level* levels;       // the plan's
  Size data_size[TilePlan::capacity];  // bytes of the data that a block inside a level is made of
};

// Writes the run as often as the innermost level repeats it.  Returns where it ends.
HWY_INLINE Byte* write_small_run(const Small& small, Byte* to, const Byte* from) {
  const Wide wide;
  const Size width = hn::Lanes(wide), run = small.run;
  Byte* const made_end = to + run * small.run_repeats;
  if (run > longest_shuffle) {
    for (; to < made_end; to += run)
      copy(to, from, run);
    return made_end;
  }
  const auto pattern = load_pattern(from, run, static_cast<Size>(small.data_end - from));
  const Size step = ramps[run][width - 1] + Size{1};
  Size phase = 0;
  while (static_cast<Size>(made_end - to) >= width) {
    hn::StoreU(shuffle(pattern, indices_from(run, phase)), wide, to);
    to += width;
    phase += step;
    phase = phase >= run ? phase - run : phase;
  }
  if (to == made_end) return made_end;
  const auto last = shuffle(pattern, indices_from(run, phase));
  // The next block overwrites what goes too far, unless there is none.
  if (static_cast<Size>(small.end - to) >= width)
    hn::StoreU(last, wide, to);
  else
    store_first(last, to, static_cast<Size>(made_end - to));
  return made_end;
}

// The bytes of a vector that is one shuffle of a pattern of up to 16 bytes.
template <class Tag>
HWY_INLINE hn::Vec<Tag> shuffled(const Byte* from, hn::Vec<Tag> indices) {
  return hn::TableLookupBytes(hn::LoadDup128(Tag(), from), indices);
}

// Writes rows of blocks, `times` over, each block one shuffle for each of its vectors, the last of which ends
// where the block does: nothing is written beyond it.  Returns where the rows end.
template <class Tag, Size vectors>
HWY_INLINE Byte* write_small_rows(const Small& small, Byte* to, const Byte* from, Size times, Size blocks) {
  const Tag tag;
  const Size width = hn::Lanes(tag), run = small.run, made = run * small.run_repeats;
  const Byte* const ramp = ramps[run].data();
  const Size step = ramp[width - 1] + Size{1};
  Size phase = 0, phases[vectors];
  for (Size vector = 0; vector < vectors; ++vector) {
    phases[vector] = phase;
    phase += step;
    phase = phase >= run ? phase - run : phase;
  }
  // The last begins as much earlier as the vectors are too long together; modulo the run, which divides
  // `made`.
  const Size back = ramp[width];
  phases[vectors - 1] = back == 0 ? 0 : run - back;
  const auto i0 = hn::LoadU(tag, ramp + phases[0]), i1 = hn::LoadU(tag, ramp + phases[vectors > 1 ? 1 : 0]);
  const auto i2 = hn::LoadU(tag, ramp + phases[vectors > 2 ? 2 : 0]);
  const auto last = hn::LoadU(tag, ramp + phases[vectors - 1]);
  for (; times > 0; --times) {
    const Byte* block = from;
    for (Size left = blocks; left > 0; --left, block += run, to += made) {
      if constexpr (vectors > 1) hn::StoreU(shuffled<Tag>(block, i0), tag, to);
      if constexpr (vectors > 2) hn::StoreU(shuffled<Tag>(block, i1), tag, to + width);
      if constexpr (vectors > 3) hn::StoreU(shuffled<Tag>(block, i2), tag, to + 2 * width);
      hn::StoreU(shuffled<Tag>(block, last), tag, to + made - width);
    }
  }
  return to;
}

// The same for runs of any length.
HWY_INLINE Byte* write_small_row(const Small& small, Byte* to, const Byte* from, Size times, Size blocks) {
  using Half = hn::CappedTag<Byte, 32>;
  const bool readable = from + (blocks - 1) * small.run + 16 <= small.data_end;
  switch (readable ? small.vectors : 0) {
    case 1:
      return write_small_rows<Half, 1>(small, to, from, times, blocks);
    case 2:
      return write_small_rows<Half, 2>(small, to, from, times, blocks);
    case 3:
      return write_small_rows<Half, 3>(small, to, from, times, blocks);
    case 4:
      return write_small_rows<Half, 4>(small, to, from, times, blocks);
    default:
      for (; times > 0; --times)
        for (Size block = 0; block < blocks; ++block)
          to = write_small_run(small, to, from + block * small.run);
      return to;
  }
}

// Writes a block of a level outside the innermost.  Returns where it ends.
inline Byte* write_small(const Small& small, int level, Byte* to, const Byte* from) {
  const TilePlan::Level here = small.levels[level];
  if (level + 1 == small.innermost) return write_small_row(small, to, from, here.repeats, here.extent);
  for (Size time = 0; time < here.repeats; ++time) {
    const Byte* block = from;
    for (Size index = 0; index < here.extent; ++index, block += small.data_size[level])
      to = write_small(small, level + 1, to, block);
  }
  return to;
}

// Writes all of the output; the plan has levels.
HWY_INLINE void tile_small(const TilePlan& plan, const Byte* from, Byte* to, Size data_bytes,
                           Size output_bytes) {
  Small small;
  small.data_end = from + data_bytes;
  small.end = to + output_bytes;
  small.run = plan.run;
  small.innermost = plan.count - 1;
  small.levels = plan.levels;
  small.run_repeats = plan.levels[plan.count - 1].repeats;
  Size size = plan.run;
  for (int level = plan.count - 1; level >= 0; --level) {
    small.data_size[level] = size;
    size *= plan.levels[level].extent;
  }
  const Size width = hn::Lanes(hn::CappedTag<Byte, 32>()), made = plan.run * small.run_repeats;
  small.vectors = plan.run <= 16 && made >= width && made <= 4 * width ? (made + width - 1) / width : 0;
  if (small.innermost == 0)
    write_small_row(small, to, from, 1, 1);
  else
    write_small(small, 0, to, from);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile
HWY_AFTER_NAMESPACE();
#endif
