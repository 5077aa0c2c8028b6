// What a byte kernel offers, for one instruction set.  For inclusion by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_TILE_BYTES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_TILE_BYTES_INL_HPP
#undef CERTILE_KERNEL_TILE_BYTES_INL_HPP
#else
#define CERTILE_KERNEL_TILE_BYTES_INL_HPP
#endif

#include "backends/kernel/small-inl.hpp"
#include "backends/kernel/tile_bytes.hpp"
#include "backends/kernel/tiler-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile {
namespace HWY_NAMESPACE {

// Lines that are made in the first-level cache before they are streamed.
constexpr Size stage_size = 4 << 10;

// Writes the range with streaming stores.  A line belongs to one kind of stores or to the other: lines of
// which the range has a part only are written with ordinary ones.
HWY_INLINE void stream_range(Tiler& tiler, Byte* to, const Byte* from, Size begin, Size end) {
  HWY_ALIGN Byte stage[stage_size];
  const Size past = past_alignment(to + begin, line);
  const Size head = past == 0 ? 0 : line - past;
  if (end - begin < head + line) return tiler.write_range(0, to + begin, from, begin, end);
  if (head > 0) tiler.write_range(0, to + begin, from, begin, begin + head);
  Size at = begin + head;
  const Size last = at + (end - at) / line * line;
  while (at < last) {
    const Size now = last - at < stage_size ? last - at : stage_size;
    tiler.write_range(0, stage, from, at, at + now);
    stream_lines(to + at, stage, now);
    at += now;
  }
  if (last < end) tiler.write_range(0, to + last, from, last, end);
}

HWY_NOINLINE void tile_range(const TilePlan& plan, const std::byte* from, std::byte* to, std::uint64_t begin,
                             std::uint64_t end, Stores stores) noexcept {
  if (begin >= end) return;
  Tiler tiler(plan);
  auto* const target = reinterpret_cast<Byte*>(to);
  const auto* const data = reinterpret_cast<const Byte*>(from);
  if (stores == Stores::ordinary) return tiler.write_range(0, target + begin, data, begin, end);
  stream_range(tiler, target, data, begin, end);
  hwy::FlushStream();
}

HWY_NOINLINE void tile_large(const TilePlan& plan, const Byte* from, Byte* to) {
  Tiler tiler(plan);
  const Size made = tiler.made_size[0];
  if (stores_for(made, tiler.data_size[0], 1) == Stores::ordinary)
    return tiler.write_blocks(0, to, from, 1, tiler.scratch());
  stream_range(tiler, to, from, 0, made);
  hwy::FlushStream();
}

HWY_NOINLINE void tile(const TilePlan& plan, const std::byte* from, std::byte* to) noexcept {
  auto* const target = reinterpret_cast<Byte*>(to);
  const auto* const data = reinterpret_cast<const Byte*>(from);
  Size data_size = plan.run, made_size = plan.run;
  for (int level = 0; level < plan.count; ++level) {
    data_size *= plan.levels[level].extent;
    made_size *= plan.levels[level].extent * plan.levels[level].repeats;
  }
  if (made_size > largest_small) return tile_large(plan, data, target);
  if (plan.count == 0) return copy(target, data, data_size);
  tile_small(plan, data, target, data_size, made_size);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile
HWY_AFTER_NAMESPACE();
#endif
