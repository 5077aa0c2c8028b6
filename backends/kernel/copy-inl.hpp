// Copies.  Stores are aligned, and loads are not, because a store that crosses a cache line costs more than a
// load that does.  For inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_COPY_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_COPY_INL_HPP
#undef CERTILE_KERNEL_COPY_INL_HPP
#else
#define CERTILE_KERNEL_COPY_INL_HPP
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Byte = std::uint8_t;
using Size = std::size_t;

// As wide as the target has them, and no wider than a cache line.
using Wide = hn::CappedTag<Byte, 64>;
using Narrow = hn::CappedTag<Byte, 16>;

constexpr Size line = 64;

// Returns the distance of `to` from the last multiple of `alignment`, a power of two.
HWY_INLINE Size past_alignment(const Byte* to, Size alignment) {
  return reinterpret_cast<std::uintptr_t>(to) & (alignment - 1);
}

template <class Word>
HWY_INLINE void copy_ends(Byte* to, const Byte* from, Size size) {
  Word first, last;
  __builtin_memcpy(&first, from, sizeof first);
  __builtin_memcpy(&last, from + size - sizeof last, sizeof last);
  __builtin_memcpy(to, &first, sizeof first);
  __builtin_memcpy(to + size - sizeof last, &last, sizeof last);
}

// Copies up to 64 bytes from both ends; the two parts may overlap.
HWY_INLINE void copy_short(Byte* to, const Byte* from, Size size) {
  const Narrow narrow;
  if (size >= 16) {
    const auto first = hn::LoadU(narrow, from);
    const auto last = hn::LoadU(narrow, from + size - 16);
    if (size > 32) {
      const auto second = hn::LoadU(narrow, from + 16);
      const auto last_but_one = hn::LoadU(narrow, from + size - 32);
      hn::StoreU(second, narrow, to + 16);
      hn::StoreU(last_but_one, narrow, to + size - 32);
    }
    hn::StoreU(first, narrow, to);
    hn::StoreU(last, narrow, to + size - 16);
  } else if (size >= 8) {
    copy_ends<std::uint64_t>(to, from, size);
  } else if (size >= 4) {
    copy_ends<std::uint32_t>(to, from, size);
  } else if (size >= 2) {
    copy_ends<std::uint16_t>(to, from, size);
  } else if (size == 1) {
    *to = *from;
  }
}

// Copies a block that the first-level cache is likely to hold, with ordinary stores.  Four vectors at a time
// are worth 5 % of the speed of outputs from 4 KiB to 1 MiB with AVX2.
HWY_INLINE void copy_vectors(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size size) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  if (size <= 64) return copy_short(to, from, size);
  hn::StoreU(hn::LoadU(wide, from), wide, to);
  Size at = width - past_alignment(to, width);
  for (; at + 4 * width <= size; at += 4 * width) {
    const auto v0 = hn::LoadU(wide, from + at);
    const auto v1 = hn::LoadU(wide, from + at + width);
    const auto v2 = hn::LoadU(wide, from + at + 2 * width);
    const auto v3 = hn::LoadU(wide, from + at + 3 * width);
    hn::Store(v0, wide, to + at);
    hn::Store(v1, wide, to + at + width);
    hn::Store(v2, wide, to + at + 2 * width);
    hn::Store(v3, wide, to + at + 3 * width);
  }
  for (; at + width <= size; at += width)
    hn::Store(hn::LoadU(wide, from + at), wide, to + at);
  if (at < size) hn::StoreU(hn::LoadU(wide, from + size - width), wide, to + size - width);
}

// From half of a first-level cache of 48 KiB on, the C library copies.  It knows where string moves overwrite
// lines without fetching them: on Zen 5 they took half the time of vectors, on Zen 4 the same.
constexpr Size shortest_moved = 24 << 10;

// Copies any number of bytes: short blocks with ordinary stores, others with the stores that the C library
// chooses.
HWY_INLINE void copy(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size size) {
  if (size < shortest_moved) return copy_vectors(to, from, size);
  __builtin_memcpy(to, from, size);
}

// Copies whole cache lines past the caches: `to` and `size` are multiples of a line.
HWY_INLINE void stream_lines(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size size) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  for (Size at = 0; at < size; at += line)
    for (Size part = 0; part < line; part += width)
      hn::Stream(hn::LoadU(wide, from + at + part), wide, to + at + part);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
