#include "reference/values/tensor.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

#include "reference/values/fill.hpp"

namespace certile {
namespace {

// Returns the bytes of a packed tensor whose elements are `values`.
std::vector<int> packed(ElementType type, const std::vector<int>& values) {
  std::vector<std::byte> bytes((values.size() * static_cast<std::size_t>(bits(type)) + 7) / 8);
  for (std::size_t index = 0; index < values.size(); ++index)
    set_packed_element(type, bytes, index, static_cast<std::uint8_t>(values[index]));
  std::vector<int> result;
  for (const std::byte each : bytes)
    result.push_back(std::to_integer<int>(each));
  return result;
}

TEST(Packed, FillsABytesLowBitsFirst) {
  EXPECT_EQ(packed(ElementType::u4, {0x1, 0x2, 0x3}), (std::vector<int>{0x21, 0x03}));
  EXPECT_EQ(packed(ElementType::i4, {0xf, 0x8}), (std::vector<int>{0x8f}));
  EXPECT_EQ(packed(ElementType::nf4, {0xa, 0x5}), (std::vector<int>{0x5a}));
  EXPECT_EQ(packed(ElementType::f4e2m1, {0x7, 0x9}), (std::vector<int>{0x97}));
  EXPECT_EQ(packed(ElementType::u2, {1, 2, 3, 0, 2}), (std::vector<int>{0x39, 0x02}));
}

TEST(Packed, FillsU1FromTheHighBitDown) {
  EXPECT_EQ(packed(ElementType::u1, {1, 0, 0, 0, 0, 0, 1, 1, 0, 1}), (std::vector<int>{0x83, 0x40}));
}

TEST(Packed, LaysU3AndU6OutAsOneLinearStream) {
  // 001 010 011 from the low bit up: 11 010 001 | 0.
  EXPECT_EQ(packed(ElementType::u3, {1, 2, 3}), (std::vector<int>{0xd1, 0x00}));
  EXPECT_EQ(packed(ElementType::u3, {0, 0, 7}), (std::vector<int>{0xc0, 0x01}));
  EXPECT_EQ(packed(ElementType::u6, {0x3f, 0, 0x3f, 0}), (std::vector<int>{0x3f, 0xf0, 0x03}));
}

TEST(Packed, ReadsBackWhatItWroteAndKeepsTheNeighbours) {
  for (const ElementType type : all_element_types()) {
    if (!is_packed(type)) continue;
    constexpr std::size_t count = 53;
    std::array<std::byte, count> bytes{};
    std::array<std::uint8_t, count> wanted{};
    for (std::uint64_t step = 0; step < 1000; ++step) {
      const std::size_t index = mix(step) % count;
      wanted[index] = static_cast<std::uint8_t>(mix(step + 5000) & ((1U << bits(type)) - 1));
      set_packed_element(type, bytes, index, wanted[index]);
    }
    for (std::size_t index = 0; index < count; ++index)
      EXPECT_EQ(packed_element(type, bytes, index), wanted[index]) << name(type) << ' ' << index;
  }
}

TEST(Packed, PacksAndUnpacksManyElementsLikeOneAfterTheOther) {
  constexpr std::size_t count = 53;
  std::array<std::byte, count> values{}, found{};
  for (std::size_t index = 0; index < count; ++index)
    values[index] = static_cast<std::byte>(mix(index));
  for (const ElementType type : all_element_types()) {
    if (!is_packed(type)) continue;
    for (const std::size_t first : {0U, 1U, 2U, 3U, 7U, 16U}) {
      std::array<std::byte, count> many{}, single{};
      many.fill(std::byte{0xa5});
      single.fill(std::byte{0xa5});
      const auto chosen = std::span(values).first(count - 3 * first);
      pack_elements(type, chosen, many, first);
      for (std::size_t index = 0; index < chosen.size(); ++index)
        set_packed_element(type, single, first + index, std::to_integer<std::uint8_t>(chosen[index]));
      EXPECT_EQ(many, single) << name(type) << " from " << first;
      unpack_elements(type, many, found);
      for (std::size_t index = 0; index < count; ++index)
        EXPECT_EQ(std::to_integer<std::uint8_t>(found[index]), packed_element(type, many, index))
            << name(type) << ' ' << index;
    }
  }
}

TEST(Packed, NamesTheBitsOfTheLastByteThatBelongToElements) {
  EXPECT_EQ(used_bits_of_last_byte(ElementType::u1, 3), std::byte{0xe0});
  EXPECT_EQ(used_bits_of_last_byte(ElementType::u2, 3), std::byte{0x3f});
  EXPECT_EQ(used_bits_of_last_byte(ElementType::u6, 1), std::byte{0x3f});
  EXPECT_EQ(used_bits_of_last_byte(ElementType::i4, 2), std::byte{0xff});
  EXPECT_EQ(used_bits_of_last_byte(ElementType::u3, std::int64_t{1} << 62U), std::byte{0xff});
}

TEST(Packed, NamesThoseThatElementsOfOnesFill) {
  for (const ElementType type : all_element_types()) {
    if (!is_packed(type)) continue;
    for (std::size_t count = 1; count <= 33; ++count) {
      const std::vector<int> ones = packed(type, std::vector<int>(count, 0xff));
      EXPECT_EQ(std::to_integer<int>(used_bits_of_last_byte(type, static_cast<std::int64_t>(count))),
                ones.back())
          << name(type) << ' ' << count;
    }
  }
}

}  // namespace
}  // namespace certile
