#include "reference/values/packed.hpp"

namespace certile {
namespace {

// Returns the lowest bit, within its byte, of an element of 1, 2 or 4 bits, which never straddles two bytes.
unsigned shift_in_byte(ElementType type, std::size_t position, std::size_t width) noexcept {
  const auto low_first = static_cast<unsigned>(position % 8);
  return is_high_bit_first(type) ? 8U - static_cast<unsigned>(width) - low_first : low_first;
}

}  // namespace

std::uint8_t packed_element(ElementType type, std::span<const std::byte> bytes, std::size_t index) noexcept {
  const auto width = static_cast<std::size_t>(bits(type));
  const std::size_t position = index * width;
  if (8 % width == 0) {
    const unsigned byte = std::to_integer<unsigned>(bytes[position / 8]);
    return static_cast<std::uint8_t>((byte >> shift_in_byte(type, position, width)) & ((1U << width) - 1));
  }
  unsigned value = 0;
  for (std::size_t bit = 0; bit < width; ++bit) {
    const unsigned byte = std::to_integer<unsigned>(bytes[(position + bit) / 8]);
    value |= ((byte >> ((position + bit) % 8)) & 1U) << bit;
  }
  return static_cast<std::uint8_t>(value);
}

void set_packed_element(ElementType type, std::span<std::byte> bytes, std::size_t index,
                        std::uint8_t value) noexcept {
  const auto width = static_cast<std::size_t>(bits(type));
  const std::size_t position = index * width;
  if (8 % width == 0) {
    const unsigned shift = shift_in_byte(type, position, width);
    const unsigned mask = ((1U << width) - 1) << shift;
    const unsigned others = std::to_integer<unsigned>(bytes[position / 8]) & ~mask;
    bytes[position / 8] = static_cast<std::byte>(others | ((static_cast<unsigned>(value) << shift) & mask));
    return;
  }
  for (std::size_t bit = 0; bit < width; ++bit) {
    const std::byte mask{static_cast<unsigned char>(1U << ((position + bit) % 8))};
    std::byte& byte = bytes[(position + bit) / 8];
    byte = ((value >> bit) & 1U) != 0 ? byte | mask : byte & ~mask;
  }
}

std::byte used_bits_of_last_byte(ElementType type, std::int64_t count) noexcept {
  const auto rest = static_cast<unsigned>(count % 8 * bits(type) % 8);
  if (rest == 0) return std::byte{0xff};
  const unsigned low = (1U << rest) - 1;
  return static_cast<std::byte>(is_high_bit_first(type) ? low << (8 - rest) : low);
}

}  // namespace certile
