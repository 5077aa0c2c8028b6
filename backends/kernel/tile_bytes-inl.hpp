// The functions of a byte kernel, for one instruction set.  For inclusion by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_TILE_BYTES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_TILE_BYTES_INL_HPP
#undef CERTILE_KERNEL_TILE_BYTES_INL_HPP
#else
#define CERTILE_KERNEL_TILE_BYTES_INL_HPP
#endif

#include "backends/kernel/caches.hpp"
#include "backends/kernel/indexed-inl.hpp"
#include "backends/kernel/stream-inl.hpp"
#include "backends/kernel/tile_bytes.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
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

// Writes a plan of one level, for which nothing needs to be laid out.
HWY_NOINLINE void repeat_all(const TilePlan& plan, const Byte* from, Byte* to) {
  Cycle unused;
  repeat_each(to, from, 1, plan.run, plan.levels[0].repeats, {0, 0}, unused);
}

HWY_NOINLINE void tile(const TilePlan& plan, const std::byte* from, std::byte* to) noexcept {
  auto* const target = reinterpret_cast<Byte*>(to);
  const auto* const data = reinterpret_cast<const Byte*>(from);
  Size data_size = plan.run, made_size = plan.run;
  for (int level = 0; level < plan.count; ++level) {
    data_size *= plan.levels[level].extent;
    made_size *= plan.levels[level].extent * plan.levels[level].repeats;
  }
  if (made_size <= largest_small) {
    if (plan.count == 0) return copy(target, data, data_size);
    return tile_small(plan, data, target, data_size, made_size);
  }
  if (stores_for(made_size, data_size, 1) == Stores::streaming)
    return stream(plan, from, to, caches().level2 / 2);
  if (plan.count == 1) return repeat_all(plan, data, target);
  if (!tile_in_one_pass(plan, data, target, data_size, made_size)) tile_large(plan, data, target);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
