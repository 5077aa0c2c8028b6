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
  int innermost;
  TilePlan::Level levels[TilePlan::capacity];
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

// Writes a block of a level.  Returns where it ends.
inline Byte* write_small(const Small& small, int level, Byte* to, const Byte* from) {
  if (level == small.innermost) return write_small_run(small, to, from);
  const TilePlan::Level here = small.levels[level];
  const Size size = small.data_size[level];
  for (Size time = 0; time < here.repeats; ++time) {
    const Byte* block = from;
    if (level + 1 == small.innermost)
      for (Size index = 0; index < here.extent; ++index, block += size)
        to = write_small_run(small, to, block);
    else
      for (Size index = 0; index < here.extent; ++index, block += size)
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
  small.run_repeats = plan.levels[plan.count - 1].repeats;
  Size size = plan.run;
  for (int level = plan.count - 1; level >= 0; --level) {
    small.levels[level] = plan.levels[level];
    small.data_size[level] = size;
    size *= plan.levels[level].extent;
  }
  write_small(small, 0, to, from);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile
HWY_AFTER_NAMESPACE();
#endif
