// The functions of a byte kernel, for one instruction set.  For inclusion by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_TILE_BYTES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_TILE_BYTES_INL_HPP
#undef CERTILE_KERNEL_TILE_BYTES_INL_HPP
#else
#define CERTILE_KERNEL_TILE_BYTES_INL_HPP
#endif

#include "backends/kernel/caches.hpp"
#include "backends/kernel/elements-inl.hpp"
#include "backends/kernel/stream-inl.hpp"
#include "backends/kernel/tile_bytes.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// Finds the blocks of a plan that may have no levels.
HWY_INLINE int climb_whole(const TilePlan& plan, Block& block) {
  static constexpr TilePlan::Level one{1, 1};
  return plan.count() == 0 ? climb(plan.run_bits / 8, &one, 1, block)
                           : climb(plan.run_bits / 8, plan.levels(), plan.count(), block);
}

HWY_NOINLINE void tile_range(const TilePlan& plan, const std::byte* from, std::byte* to, std::uint64_t begin,
                             std::uint64_t end, Stores stores) noexcept {
  if (begin >= end) return;
  auto* const target = reinterpret_cast<Byte*>(to);
  const auto* const data = reinterpret_cast<const Byte*>(from);
  if (plan.count() <= 1 && stores == Stores::ordinary)
    return fill(target + begin, end - begin, data, plan.run_bits / 8, begin % (plan.run_bits / 8), 0);
  Block block;
  Tiler tiler(plan, data, block, climb_whole(plan, block));
  if (stores == Stores::ordinary) return tiler.write_range(0, target + begin, data, begin, end);
  stream_range(tiler, target, data, begin, end);
  hwy::FlushStream();
}

HWY_NOINLINE void stream(const TilePlan& plan, const std::byte* from, std::byte* to,
                         std::uint64_t scatter_from) noexcept {
  const auto* const data = reinterpret_cast<const Byte*>(from);
  Block block;
  Tiler tiler(plan, data, block, climb_whole(plan, block));
  stream_all(tiler, reinterpret_cast<Byte*>(to), data, scatter_from);
  hwy::FlushStream();
}

// A shuffled block that the levels outside repeat at least this often is made once, in cache, and copied.  4
// to 8 are within a few per cent of each other; to copy such blocks from two repeats on, as all others are,
// costs 0.8 % in the mean, and the worst shape takes 1.7 times as long.
constexpr Size worth_copying = 8;

// A shuffled block of at least this many bytes is made in its place, however often it is repeated.  Worth
// 0.5 %, at most a third.
constexpr Size worth_making = 256;

HWY_INLINE Size product_of_repeats(const TilePlan& plan, int levels) {
  Size product = 1;
  for (int level = 0; level < levels; ++level)
    product *= plan.levels()[level].repeats;
  return product;
}

// Writes an output by passes.
HWY_NOINLINE void tile_in_passes(const TilePlan& plan, const Byte* from, Byte* to, Block& block, int outer) {
  Tiler tiler(plan, from, block, outer);
  // A level that repeats nothing would be made in scratch first, and copied.
  const int first = tiler.repeats[0] == 1 ? 1 : 0;
  tiler.write_blocks(first, to, from, first == 1 ? tiler.extent[0] : 1, tiler.scratch());
}

// Writes any output in the way that suits it best: in one pass, if its blocks are repeated seldom.
HWY_NOINLINE void tile_other(const TilePlan& plan, const Byte* from, Byte* to) {
  const Size output_size = plan.output_bits / 8, data_size = plan.data_bits() / 8;
  if (stores_for(output_size, data_size, 1) == Stores::streaming)
    return stream(plan, reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to),
                  caches().level2 / 2);
  if (plan.count() == 0) return copy(to, from, data_size);
  Block block;
  block.data_end = from + data_size;
  block.end = to + output_size;
  const int outer = climb(plan.run_bits / 8, plan.levels(), plan.count(), block);
  const bool is_quick = block.is_shuffled() && block.made() >= worth_making;
  if (!is_quick && product_of_repeats(plan, outer) >= (block.is_shuffled() ? worth_copying : 2))
    return tile_in_passes(plan, from, to, block, outer);
  finish(block, outer > 0 ? plan.levels()[outer - 1].extent : 0);
  write_all_blocks(block, plan.levels(), outer, to, from);
}

#if HWY_TARGET == HWY_AVX3_DL
// The largest output whose blocks are found in registers, without passes: it was faster for outputs of up to
// 8 KiB, by a quarter up to 4 KiB.
constexpr Size largest_small = 8192;
#endif

HWY_NOINLINE void tile(const TilePlan& plan, const std::byte* from, std::byte* to) noexcept {
  auto* const target = reinterpret_cast<Byte*>(to);
  const auto* const data = reinterpret_cast<const Byte*>(from);
#if HWY_TARGET == HWY_AVX3_DL
  const Size output_size = plan.output_bits / 8;
  if (output_size > largest_small) return tile_other(plan, data, target);
  if (plan.count() == 0) return copy_vectors(target, data, output_size);
  Block block;
  block.data_end = nullptr;  // masked loads need no end
  block.end = target + output_size;
  const int outer = climb_in_registers(plan.run_bits / 8, plan.levels(), plan.count(), block, target, data);
  if (outer < 0) return;
  if (outer == 0 && !block.is_held()) return write_block(block, target, data);
  write_all_blocks(block, plan.levels(), outer, target, data);
#else
  tile_other(plan, data, target);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
