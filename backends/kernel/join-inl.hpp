// Copies of blocks of at least one vector, as one sequence of aligned vectors: the vector in which a copy
// ends includes the beginning of the next one, so that every line of the output is stored once, whatever the
// length.  For inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_JOIN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_JOIN_INL_HPP
#undef CERTILE_KERNEL_JOIN_INL_HPP
#else
#define CERTILE_KERNEL_JOIN_INL_HPP
#endif

#include "backends/kernel/copy-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// The numbers of bytes before and behind some blocks that may be read; their values do not matter.
struct Around {
  Size before, behind;
};

// The distance that `join_copies` reads beyond blocks, which our scratch memory leaves around them.
constexpr Size join_margin = 64;
constexpr Around margins{join_margin, join_margin};

HWY_INLINE bool may_join(Around around) {
  return around.before >= join_margin && around.behind >= join_margin;
}

// Writes each of `blocks` consecutive blocks of `size` bytes, at least a vector, `repeats` times.
HWY_INLINE void join_copies(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size blocks, Size size,
                            Size repeats) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  hn::StoreU(hn::LoadU(wide, from), wide, to);
  Size at = width - past_alignment(to, width);  // the next byte of the block to write
  to += at;
  Size left = repeats;
  for (;;) {
    for (; at + 4 * width <= size; at += 4 * width, to += 4 * width) {
      const auto v0 = hn::LoadU(wide, from + at), v1 = hn::LoadU(wide, from + at + width);
      const auto v2 = hn::LoadU(wide, from + at + 2 * width), v3 = hn::LoadU(wide, from + at + 3 * width);
      hn::Store(v0, wide, to);
      hn::Store(v1, wide, to + width);
      hn::Store(v2, wide, to + 2 * width);
      hn::Store(v3, wide, to + 3 * width);
    }
    for (; at + width <= size; at += width, to += width)
      hn::Store(hn::LoadU(wide, from + at), wide, to);
    const Size rest = size - at;
    const Byte* const ending = from + at;
    if (--left == 0) {
      if (--blocks == 0) return copy_short(to, ending, rest);
      from += size;
      left = repeats;
    }
    hn::Store(hn::IfThenElse(hn::FirstN(wide, rest), hn::LoadU(wide, ending), hn::LoadU(wide, from - rest)),
              wide, to);
    to += width;
    at = width - rest;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
