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

// Makes bytes of `bytes` packed bytes, in place, until each has an element of `bits` bits; see Elements.
HWY_NOINLINE void unpack(std::byte* elements, std::size_t bytes, unsigned bits,
                         bool high_bit_first) noexcept {
  const Pairs pairs;
  const Halves halves;
  const Size lanes = hn::Lanes(pairs);
  auto* const data = reinterpret_cast<Byte*>(elements);
  for (int width = 4; width >= static_cast<int>(bits); width /= 2, bytes *= 2) {
    const auto mask = hn::Set(pairs, static_cast<std::uint16_t>(0x0101U * ((1U << width) - 1)));
    for (Size at = (bytes + lanes - 1) / lanes * lanes; at > 0;) {
      at -= lanes;  // from the back, because the results are longer
      const auto both = hn::PromoteTo(pairs, hn::LoadU(halves, data + at));
      const auto first = high_bit_first ? hn::ShiftRightSame(both, width) : both;
      const auto second = hn::ShiftLeftSame(both, high_bit_first ? 8 : 8 - width);
      hn::StoreU(hn::BitCast(Wide(), hn::And(hn::Or(first, second), mask)), Wide(), data + 2 * at);
    }
  }
}

// Packs `count` elements, in place.
HWY_NOINLINE void pack(std::byte* elements, std::size_t count, unsigned bits, bool high_bit_first) noexcept {
  const Pairs pairs;
  const Halves halves;
  const Size width_of_all = hn::Lanes(Wide());
  auto* const data = reinterpret_cast<Byte*>(elements);
  if (bits == 1) {
    HWY_ALIGN static constexpr Byte reversed[16] = {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};
    const auto order = hn::LoadDup128(Wide(), reversed);
    for (Size at = 0; at < count; at += width_of_all) {
      const auto ones = hn::LoadU(Wide(), data + at);
      const auto bits_in_order = high_bit_first ? hn::TableLookupBytes(ones, order) : ones;
      hn::StoreMaskBits(Wide(), hn::Ne(bits_in_order, hn::Zero(Wide())), data + at / 8);
    }
    return;
  }
  for (int width = static_cast<int>(bits); width <= 4; width *= 2, count = (count + 1) / 2) {
    const auto low = hn::Set(pairs, std::uint16_t{0xFF});
    for (Size at = 0; at < count; at += width_of_all) {
      const auto both = hn::BitCast(pairs, hn::LoadU(Wide(), data + at));
      const auto joined = high_bit_first ? hn::Or(hn::ShiftLeftSame(both, width), hn::ShiftRight<8>(both))
                                         : hn::Or(both, hn::ShiftRightSame(both, 8 - width));
      const hn::RebindToSigned<Pairs> numbers;
      hn::StoreU(hn::DemoteTo(halves, hn::BitCast(numbers, hn::And(joined, low))), halves, data + at / 2);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
