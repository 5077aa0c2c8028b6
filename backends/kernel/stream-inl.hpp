// Outputs too large for the caches: whole lines past them, with streaming stores.  A line is written by one
// kind of store only, because mixing both costs as much as a miss.  For inclusion once per instruction set,
// by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_STREAM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_STREAM_INL_HPP
#undef CERTILE_KERNEL_STREAM_INL_HPP
#else
#define CERTILE_KERNEL_STREAM_INL_HPP
#endif

#include "backends/kernel/tiler-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// The size of the stage in the first-level cache in which lines are made before they are streamed.  A plain
// copy goes through it, too: without it the copy takes the same time.
constexpr Size stage_size = 4 << 10;

// Writes the lines [begin, end) of the output; both ends are at multiples of a line.
HWY_NOINLINE void stream_whole_lines(Tiler& tiler, Byte* to, const Byte* from, Size begin, Size end) {
  HWY_ALIGN Byte stage[stage_size];
  for (Size at = begin; at < end; at += stage_size) {
    const Size now = end - at < stage_size ? end - at : stage_size;
    tiler.write_range(0, stage, from, at, at + now);
    stream_lines(to + at, stage, now);
  }
}

// Returns the first multiple of a line at or after a position of the output.
HWY_INLINE Size line_from(const Byte* to, Size position) {
  return position + (line - past_alignment(to + position, line)) % line;
}

// Writes the bytes [begin, end) of the output from front to back.
HWY_NOINLINE void stream_range(Tiler& tiler, Byte* to, const Byte* from, Size begin, Size end) {
  const Size first = line_from(to, begin);
  if (end < first + line) return tiler.write_range(0, to + begin, from, begin, end);
  const Size last = first + (end - first) / line * line;
  if (begin < first) tiler.write_range(0, to + begin, from, begin, first);
  stream_whole_lines(tiler, to, from, first, last);
  if (last < end) tiler.write_range(0, to + last, from, last, end);
}

// Writes a block of a level, `begin` bytes into the output.  Pieces of the period are made once, in the
// first-level cache unless they are data as it is, and go to all of their places in turn.  Worth 7 % of the
// speed of streamed outputs.
inline void scatter_block(Tiler& tiler, int level, Byte* to, const Byte* from, Size begin) {
  HWY_ALIGN Byte stage[pass_size + line];
  const Size period = tiler.period(level), output = tiler.made_size[0];
  const Size pieces = (period + pass_size - 1) / pass_size, step = (period + pieces - 1) / pieces;
  // Ranges meet at cache lines, except at the ends of the output.
  const auto edge = [to, output](Size position) HWY_ATTR {
    if (position == 0) return position;
    const Size rounded = line_from(to, position);
    return rounded < output ? rounded : output;
  };
  for (Size done = 0; done < period; done += step) {
    const Size until = done + step < period ? done + step : period;
    // Up to a line more is staged, so that the line in which the piece ends can be streamed whole.
    const Size staged = until + line < period ? until + line : period;
    const Byte* piece = stage;
    if (tiler.is_data(level))
      piece = from + begin / tiler.made_size[level] * tiler.data_size[level] + done;
    else
      tiler.write_range(0, stage, from, begin + done, begin + staged);
    for (Size time = 0; time < tiler.repeats[level]; ++time) {
      const Size first = begin + time * period;
      Size at = edge(first + done);
      const Size end = edge(first + until);
      if (at >= end) continue;
      if (past_alignment(to + at, line) == 0) {
        const Size last = end < first + staged ? end : first + staged;
        const Size lines = (last - at) / line * line;
        stream_lines(to + at, piece + (at - first - done), lines);
        at += lines;
      }
      if (at < end) stream_range(tiler, to, from, at, end);
    }
  }
}

// Writes all of the output.
inline void stream_all(Tiler& tiler, Byte* to, const Byte* from, Size scatter_from) {
  const Size output = tiler.made_size[0];
  // The outermost level that repeats anything.
  const int level = tiler.repeats[0] == 1 ? 1 : 0;
  // A short period is kept; data that no cache holds is read from memory once, instead of once for each
  // repeat.
  const bool is_made_often = level < tiler.count && !tiler.is_data(level) && tiler.period(level) > pass_size;
  if (level == tiler.count || (!is_made_often && tiler.data_size[level] <= scatter_from))
    return stream_range(tiler, to, from, 0, output);
  for (Size begin = 0; begin < output; begin += tiler.made_size[level])
    scatter_block(tiler, level, to, from, begin);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
