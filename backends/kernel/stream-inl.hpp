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

// The size of the stage in the first-level cache in which lines are made before they are streamed; and the
// shortest run whose lines are streamed from the data itself.
constexpr Size stage_size = 4 << 10, shortest_direct = 2 << 10;

// The data that belongs at `at` of the output, up to the end of the run.
struct Piece {
  const Byte* from;
  Size size;
};
HWY_INLINE Piece piece_at(const Tiler& tiler, const Byte* from, Size at) {
  for (int level = 0; level < tiler.count; ++level) {
    const Size block = at / tiler.made_size[level + 1];
    at -= block * tiler.made_size[level + 1];
    from += block % tiler.extent[level] * tiler.data_size[level + 1];
  }
  return {from + at, tiler.data_size[tiler.count] - at};
}

// Writes the lines [begin, end) of the output; both ends are at multiples of a line.
inline void stream_whole_lines(Tiler& tiler, Byte* to, const Byte* from, Size begin, Size end) {
  HWY_ALIGN Byte stage[stage_size];
  const bool direct = tiler.data_size[tiler.count] >= shortest_direct;
  for (Size at = begin; at < end;) {
    Size now = end - at < stage_size ? end - at : stage_size;
    if (direct) {
      const Piece piece = piece_at(tiler, from, at);
      const Size lines = (piece.size < end - at ? piece.size : end - at) / line * line;
      stream_lines(to + at, piece.from, lines);
      at += lines;
      if (at == end || piece.size == lines) continue;
      now = line;  // the line in which the run ends
    }
    tiler.write_range(0, stage, from, at, at + now);
    stream_lines(to + at, stage, now);
    at += now;
  }
}

// Returns the first multiple of a line at or after a position of the output.
HWY_INLINE Size line_from(const Byte* to, Size position) {
  return position + (line - past_alignment(to + position, line)) % line;
}

// Writes the bytes [begin, end) of the output from front to back.
inline void stream_range(Tiler& tiler, Byte* to, const Byte* from, Size begin, Size end) {
  const Size first = line_from(to, begin);
  if (end < first + line) return tiler.write_range(0, to + begin, from, begin, end);
  const Size last = first + (end - first) / line * line;
  if (begin < first) tiler.write_range(0, to + begin, from, begin, first);
  stream_whole_lines(tiler, to, from, first, last);
  if (last < end) tiler.write_range(0, to + last, from, last, end);
}

// Writes a block of a level, `begin` bytes into the output, whose data is too large for the second-level
// cache. Pieces of the data that fit the first-level cache go to all of their places in turn, so the data is
// read once.
inline void scatter_block(Tiler& tiler, int level, Byte* to, const Byte* from, Size begin) {
  constexpr Size piece = 32 << 10;  // of the data
  const Size period = tiler.period(level), data = tiler.data_size[level], output = tiler.made_size[0];
  const Size pieces = (data + piece - 1) / piece, step = (period + pieces - 1) / pieces;
  // Ranges meet at cache lines, except at the ends of the output.
  const auto edge = [to, output](Size position) HWY_ATTR {
    if (position == 0) return position;
    const Size rounded = line_from(to, position);
    return rounded < output ? rounded : output;
  };
  for (Size done = 0; done < period; done += step) {
    const Size until = done + step < period ? done + step : period;
    for (Size time = 0; time < tiler.repeats[level]; ++time) {
      const Size first = begin + time * period;
      const Size range_begin = edge(first + done), range_end = edge(first + until);
      if (range_begin < range_end) stream_range(tiler, to, from, range_begin, range_end);
    }
  }
}

// Writes all of the output.
inline void stream_all(Tiler& tiler, Byte* to, const Byte* from, Size scatter_from) {
  const Size output = tiler.made_size[0];
  // The outermost level that repeats anything.
  const int level = tiler.count > 0 && tiler.repeats[0] == 1 ? 1 : 0;
  if (tiler.count == 0 || tiler.data_size[level] <= scatter_from)
    return stream_range(tiler, to, from, 0, output);
  for (Size begin = 0; begin < output; begin += tiler.made_size[level])
    scatter_block(tiler, level, to, from, begin);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
