// Packed elements, each in a separate byte while they are moved: halves of bytes are taken apart, or put
// together, until the elements are as wide as wanted.  For inclusion once per instruction set, by
// tile_bytes.cpp.
#if defined(CERTILE_KERNEL_ELEMENTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_ELEMENTS_INL_HPP
#undef CERTILE_KERNEL_ELEMENTS_INL_HPP
#else
#define CERTILE_KERNEL_ELEMENTS_INL_HPP
#endif

#include "backends/kernel/copy-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

using Pairs = hn::RepartitionToWide<Wide>;
using Halves = hn::Rebind<Byte, Pairs>;

// Reverses the order of bits in bytes, each bit in a separate byte.
HWY_INLINE hn::Vec<Wide> reversed(hn::Vec<Wide> bits) {
  HWY_ALIGN static constexpr Byte order[16] = {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};
  return hn::TableLookupBytes(bits, hn::LoadDup128(Wide(), order));
}

// Takes `size` bytes of packed elements apart, in place; see Elements.
HWY_NOINLINE void unpack(std::byte* elements, std::size_t size, unsigned bits, bool high_bit_first) noexcept {
  auto* const data = reinterpret_cast<Byte*>(elements);
  // From the back, because the results are longer.
  if (bits == 1) {
    const Wide wide;
    for (Size at = (8 * size + hn::Lanes(wide) - 1) / hn::Lanes(wide) * hn::Lanes(wide); at > 0;) {
      at -= hn::Lanes(wide);
      const auto ones = hn::IfThenElseZero(hn::LoadMaskBits(wide, data + at / 8), hn::Set(wide, Byte{1}));
      hn::StoreU(high_bit_first ? reversed(ones) : ones, wide, data + at);
    }
    return;
  }
  const Pairs pairs;
  const Halves halves;
  const Size lanes = hn::Lanes(pairs);
  for (int width = 4; width >= static_cast<int>(bits); width /= 2, size *= 2) {
    const auto mask = hn::Set(pairs, static_cast<std::uint16_t>(0x0101U * ((1U << width) - 1)));
    for (Size at = (size + lanes - 1) / lanes * lanes; at > 0;) {
      at -= lanes;
      const auto both = hn::PromoteTo(pairs, hn::LoadU(halves, data + at));
      const auto first = high_bit_first ? hn::ShiftRightSame(both, width) : both;
      const auto second = hn::ShiftLeftSame(both, high_bit_first ? 8 : 8 - width);
      hn::StoreU(hn::BitCast(Wide(), hn::And(hn::Or(first, second), mask)), Wide(), data + 2 * at);
    }
  }
}

// Packs `size` elements, in place.
HWY_NOINLINE void pack(std::byte* elements, std::size_t size, unsigned bits, bool high_bit_first) noexcept {
  const Wide wide;
  auto* const data = reinterpret_cast<Byte*>(elements);
  if (bits == 1) {
    for (Size at = 0; at < size; at += hn::Lanes(wide)) {
      const auto ones = hn::LoadU(wide, data + at);
      const auto in_order = high_bit_first ? reversed(ones) : ones;
      hn::StoreMaskBits(wide, hn::Ne(in_order, hn::Zero(wide)), data + at / 8);
    }
    return;
  }
  const Pairs pairs;
  const Halves halves;
  const hn::RebindToSigned<Pairs> numbers;
  const auto low = hn::Set(pairs, std::uint16_t{0xFF});
  for (int width = static_cast<int>(bits); width <= 4; width *= 2, size = (size + 1) / 2)
    for (Size at = 0; at < size; at += hn::Lanes(wide)) {
      const auto both = hn::BitCast(pairs, hn::LoadU(wide, data + at));
      const auto joined = high_bit_first ? hn::Or(hn::ShiftLeftSame(both, width), hn::ShiftRight<8>(both))
                                         : hn::Or(both, hn::ShiftRightSame(both, 8 - width));
      hn::StoreU(hn::DemoteTo(halves, hn::BitCast(numbers, hn::And(joined, low))), halves, data + at / 2);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
