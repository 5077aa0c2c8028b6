#include "reference/values/packed.hpp"

#include <algorithm>
#include <array>

namespace certile {
namespace {

// The way in which the elements of a type lie in bytes.
struct BitLayout {
  unsigned width;
  bool is_high_bit_first;
};

BitLayout layout_of(ElementType type) noexcept {
  return {static_cast<unsigned>(bits(type)), is_high_bit_first(type)};
}

// The bits of one element: their mask in its first byte and, from bit 8 on, in the byte behind, which an
// element of 3 or 6 bits may need as well.
struct Place {
  std::size_t byte;
  unsigned shift, mask;
};

Place place_of(BitLayout layout, std::size_t index) noexcept {
  const std::size_t position = index * layout.width;
  const auto low_first = static_cast<unsigned>(position % 8);
  const unsigned shift = layout.is_high_bit_first ? 8U - layout.width - low_first : low_first;
  return {position / 8, shift, ((1U << layout.width) - 1) << shift};
}

std::uint8_t element_at(Place place, std::span<const std::byte> bytes) noexcept {
  unsigned both = std::to_integer<unsigned>(bytes[place.byte]);
  if (place.mask > 0xff) both |= std::to_integer<unsigned>(bytes[place.byte + 1]) << 8;
  return static_cast<std::uint8_t>((both & place.mask) >> place.shift);
}

void set_element_at(Place place, std::span<std::byte> bytes, unsigned value) noexcept {
  const unsigned both = (value << place.shift) & place.mask;
  const auto replace = [](std::byte& byte, unsigned mask, unsigned bits_of_value) {
    byte = static_cast<std::byte>((std::to_integer<unsigned>(byte) & ~mask) | bits_of_value);
  };
  replace(bytes[place.byte], place.mask & 0xff, both & 0xff);
  if (place.mask > 0xff) replace(bytes[place.byte + 1], place.mask >> 8, both >> 8);
}

// The places of eight elements, which together fill as many bytes as one of them has bits.
class Eight {
 public:
  explicit Eight(BitLayout layout) noexcept : bytes_(layout.width), mask_((1U << layout.width) - 1) {
    for (std::size_t index = 0; index < shifts_.size(); ++index) {
      const Place place = place_of(layout, index);
      shifts_[index] = 8 * static_cast<unsigned>(place.byte) + place.shift;
    }
  }

  void unpack(const std::byte* packed, std::byte* values) const noexcept {
    std::uint64_t word = 0;
    for (unsigned byte = 0; byte < bytes_; ++byte)
      word |= std::to_integer<std::uint64_t>(packed[byte]) << 8 * byte;
    for (std::size_t index = 0; index < shifts_.size(); ++index)
      values[index] = static_cast<std::byte>(word >> shifts_[index] & mask_);
  }

  void pack(const std::byte* values, std::byte* packed) const noexcept {
    std::uint64_t word = 0;
    for (std::size_t index = 0; index < shifts_.size(); ++index)
      word |= (std::to_integer<std::uint64_t>(values[index]) & mask_) << shifts_[index];
    for (unsigned byte = 0; byte < bytes_; ++byte)
      packed[byte] = static_cast<std::byte>(word >> 8 * byte);
  }

 private:
  unsigned bytes_, mask_;
  std::array<unsigned, 8> shifts_{};
};

}  // namespace

std::uint8_t packed_element(ElementType type, std::span<const std::byte> bytes, std::size_t index) noexcept {
  return element_at(place_of(layout_of(type), index), bytes);
}

void set_packed_element(ElementType type, std::span<std::byte> bytes, std::size_t index,
                        std::uint8_t value) noexcept {
  set_element_at(place_of(layout_of(type), index), bytes, value);
}

void unpack_elements(ElementType type, std::span<const std::byte> bytes,
                     std::span<std::byte> values) noexcept {
  const BitLayout layout = layout_of(type);
  const Eight eight(layout);
  std::size_t index = 0;
  for (; index + 8 <= values.size(); index += 8)
    eight.unpack(bytes.data() + index / 8 * layout.width, values.data() + index);
  for (; index < values.size(); ++index)
    values[index] = std::byte{element_at(place_of(layout, index), bytes)};
}

void pack_elements(ElementType type, std::span<const std::byte> values, std::span<std::byte> bytes,
                   std::size_t first) noexcept {
  const BitLayout layout = layout_of(type);
  std::size_t index = 0;
  const auto pack_until = [&](std::size_t end) {
    for (; index < end; ++index)
      set_element_at(place_of(layout, first + index), bytes, std::to_integer<unsigned>(values[index]));
  };
  pack_until(std::min(values.size(), (8 - first % 8) % 8));
  if (index + 8 <= values.size()) {
    const Eight eight(layout);
    for (; index + 8 <= values.size(); index += 8)
      eight.pack(values.data() + index, bytes.data() + (first + index) / 8 * layout.width);
  }
  pack_until(values.size());
}

std::byte used_bits_of_last_byte(ElementType type, std::int64_t count) noexcept {
  const auto rest = static_cast<unsigned>(count % 8 * bits(type) % 8);
  if (rest == 0) return std::byte{0xff};
  const unsigned low = (1U << rest) - 1;
  return static_cast<std::byte>(is_high_bit_first(type) ? low << (8 - rest) : low);
}

}  // namespace certile
