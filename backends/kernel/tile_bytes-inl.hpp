// What a byte kernel offers, for one instruction set.  For inclusion by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_TILE_BYTES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_TILE_BYTES_INL_HPP
#undef CERTILE_KERNEL_TILE_BYTES_INL_HPP
#else
#define CERTILE_KERNEL_TILE_BYTES_INL_HPP
#endif

#include "backends/kernel/caches.hpp"
#include "backends/kernel/small-inl.hpp"
#include "backends/kernel/stream-inl.hpp"
#include "backends/kernel/tile_bytes.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile {
namespace HWY_NAMESPACE {

HWY_NOINLINE void tile_range(const TilePlan& plan, const std::byte* from, std::byte* to, std::uint64_t begin,
                             std::uint64_t end, Stores stores) noexcept {
  if (begin >= end) return;
  auto* const target = reinterpret_cast<Byte*>(to);
  const auto* const data = reinterpret_cast<const Byte*>(from);
  Tiler tiler(plan, data);
  if (stores == Stores::ordinary) return tiler.write_range(0, target + begin, data, begin, end);
  stream_range(tiler, target, data, begin, end);
  hwy::FlushStream();
}

HWY_NOINLINE void stream(const TilePlan& plan, const std::byte* from, std::byte* to,
                         std::uint64_t scatter_from) noexcept {
  const auto* const data = reinterpret_cast<const Byte*>(from);
  Tiler tiler(plan, data);
  stream_all(tiler, reinterpret_cast<Byte*>(to), data, scatter_from);
  hwy::FlushStream();
}

HWY_NOINLINE void tile_large(const TilePlan& plan, const Byte* from, Byte* to) {
  Tiler tiler(plan, from);
  tiler.write_blocks(0, to, from, 1, tiler.scratch());
}

HWY_NOINLINE void tile(const TilePlan& plan, const std::byte* from, std::byte* to) noexcept {
  auto* const target = reinterpret_cast<Byte*>(to);
  const auto* const data = reinterpret_cast<const Byte*>(from);
  if (plan.count == 0 && plan.run <= largest_small) return copy(target, data, plan.run);
  Small small;  // what is laid out for small outputs comes along while sizes are multiplied
  Size data_size = plan.run, made_size = plan.run;
  for (int level = plan.count - 1; level >= 0; --level) {
    small.data_size[level] = data_size;
    data_size *= plan.levels[level].extent;
    made_size *= plan.levels[level].extent * plan.levels[level].repeats;
  }
  if (made_size > largest_small) {
    if (stores_for(made_size, data_size, 1) == Stores::streaming)
      return stream(plan, from, to, caches().level2 / 2);
    return tile_large(plan, data, target);
  }
  small.data_end = data + data_size;
  small.end = target + made_size;
  small.run = plan.run;
  small.run_repeats = plan.levels[plan.count - 1].repeats;
  small.innermost = plan.count - 1;
  small.levels = plan.levels;
  small.row = plan.count > 1 ? plan.levels[plan.count - 2] : TilePlan::Level{1, 1};
  tile_small(small, target, data);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile
HWY_AFTER_NAMESPACE();
#endif
