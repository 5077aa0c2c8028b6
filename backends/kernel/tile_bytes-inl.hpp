// The functions of a byte kernel, for one instruction set.  For inclusion by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_TILE_BYTES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_TILE_BYTES_INL_HPP
#undef CERTILE_KERNEL_TILE_BYTES_INL_HPP
#else
#define CERTILE_KERNEL_TILE_BYTES_INL_HPP
#endif

#include "backends/kernel/caches.hpp"
#include "backends/kernel/fields-inl.hpp"
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
  repeat_each(to, from, 1, plan.run_bits / 8, plan.levels()[0].repeats, 0, unused);
}

// Writes an output of more than `largest_small` bytes.
HWY_NOINLINE void tile_other(const TilePlan& plan, const Byte* from, Byte* to) {
  const Size made_size = plan.output_bits / 8;
  Size data_size = plan.run_bits / 8;
  for (int level = 0; level < plan.count(); ++level)
    data_size *= plan.levels()[level].extent;
  if (stores_for(made_size, data_size, 1) == Stores::streaming)
    return stream(plan, reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to),
                  caches().level2 / 2);
  if (plan.count() == 0) return copy(to, from, data_size);
  if (plan.count() == 1) return repeat_all(plan, from, to);
  if (!tile_in_one_pass(plan, from, to, data_size, made_size)) tile_large(plan, from, to);
}

HWY_NOINLINE void tile(const TilePlan& plan, const std::byte* from, std::byte* to) noexcept {
  auto* const target = reinterpret_cast<Byte*>(to);
  const auto* const data = reinterpret_cast<const Byte*>(from);
  if (plan.output_bits > 8 * largest_small) return tile_other(plan, data, target);
  if (plan.count() == 0) return copy_vectors(target, data, plan.output_bits / 8);
  tile_small(plan, data, target);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
