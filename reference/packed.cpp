#include "reference/packed.hpp"

namespace certile {
namespace {

// Where bit `position` of the stream lies within its byte.
unsigned bit_in_byte(ElementType type, std::size_t position) noexcept {
  const auto low_first = static_cast<unsigned>(position % 8);
  return type == ElementType::u1 ? 7U - low_first : low_first;
}

}  // namespace

std::uint8_t packed_element(ElementType type, std::span<const std::byte> bytes, std::size_t index) noexcept {
  const auto width = static_cast<std::size_t>(bits(type));
  unsigned value = 0;
  for (std::size_t bit = 0; bit < width; ++bit) {
    const std::size_t position = index * width + bit;
    const unsigned byte = std::to_integer<unsigned>(bytes[position / 8]);
    value |= ((byte >> bit_in_byte(type, position)) & 1U) << bit;
  }
  return static_cast<std::uint8_t>(value);
}

void set_packed_element(ElementType type, std::span<std::byte> bytes, std::size_t index,
                        std::uint8_t value) noexcept {
  const auto width = static_cast<std::size_t>(bits(type));
  for (std::size_t bit = 0; bit < width; ++bit) {
    const std::size_t position = index * width + bit;
    const std::byte mask{static_cast<unsigned char>(1U << bit_in_byte(type, position))};
    std::byte& byte = bytes[position / 8];
    byte = ((value >> bit) & 1U) != 0 ? byte | mask : byte & ~mask;
  }
}

}  // namespace certile
