#include "conformance/ask/rig/string_characters.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace certile::conformance {
namespace {

using namespace std::string_literals;

const std::array strings{"ab"s, ""s, "c\0d"s};
const Tensor three_strings = Tensor::of_strings({3}, strings);

Arena& arena() {
  static Arena only = *Arena::create(1 << 12, true, Arena::input_guard);
  return only;
}

std::vector<StringElement> placed(const Tensor& tensor, CharacterOrder order, Spot::Side side) {
  const auto views = place_characters(tensor, {side, 0}, order, arena());
  std::vector<StringElement> elements(static_cast<std::size_t>(tensor.count()));
  EXPECT_TRUE(views && views->size() == elements.size() * sizeof(StringElement));
  if (views) std::memcpy(elements.data(), views->data(), views->size());
  return elements;
}

std::string memory() {
  return {reinterpret_cast<const char*>(arena().seen()), arena().written().size()};
}

TEST(StringCharacters, AreBesideEachOtherInRisingOrder) {
  const auto elements = placed(three_strings, CharacterOrder::rising, Spot::Side::right);
  EXPECT_EQ(memory(), "abc\0d"s);
  const char* const begin = reinterpret_cast<const char*>(arena().seen());
  EXPECT_EQ(elements[0].bytes, begin);
  EXPECT_EQ(elements[1].bytes, begin + 2);
  EXPECT_EQ(elements[1].size, 0U);
  EXPECT_EQ(elements[2].bytes, begin + 2);
  EXPECT_EQ(elements[2].size, 3U);
}

TEST(StringCharacters, OfStringsThatBeginAlikeShareAnAddressInRisingOrder) {
  const std::array alike{"abc"s, "ab"s, "abcd"s, "b"s};
  const auto elements = placed(Tensor::of_strings({4}, alike), CharacterOrder::rising, Spot::Side::right);
  EXPECT_EQ(memory(), "abcdb");
  for (std::size_t index = 0; index < alike.size(); ++index) {
    EXPECT_EQ(std::string(elements[index].bytes, elements[index].size), alike[index]);
    EXPECT_EQ(elements[index].bytes - elements[0].bytes, index == 3 ? 4 : 0);
  }
}

TEST(StringCharacters, HaveGapsInFallingOrderAndEmptyOnesNoAddress) {
  const auto elements = placed(three_strings, CharacterOrder::falling, Spot::Side::left);
  const char guard = static_cast<char>(Arena::input_guard);
  EXPECT_EQ(memory(), "c\0d"s + std::string(3, guard) + "ab");
  const char* const begin = reinterpret_cast<const char*>(arena().seen());
  EXPECT_EQ(elements[0].bytes, begin + 6);
  EXPECT_EQ(elements[1].bytes, nullptr);
  EXPECT_EQ(elements[2].bytes, begin);
}

TEST(StringCharacters, OfAStringThatIsTheEndOfTheNextOneAreItsLastOnesInFallingOrder) {
  const std::array alike{"b"s, ""s, "ab"s};
  const auto elements = placed(Tensor::of_strings({3}, alike), CharacterOrder::falling, Spot::Side::left);
  EXPECT_EQ(memory(), "ab");
  EXPECT_EQ(elements[0].bytes, elements[2].bytes + 1);
}

TEST(StringCharacters, AreFartherApartInFallingOrderThan32BitsReach) {
  const std::array pair{"ab"s, "cd"s};
  const auto elements = placed(Tensor::of_strings({2}, pair), CharacterOrder::falling, Spot::Side::right);
  EXPECT_EQ(std::string(elements[0].bytes, 2), "ab");
  EXPECT_EQ(std::string(elements[1].bytes, 2), "cd");
  EXPECT_GE(std::abs(elements[1].bytes - elements[0].bytes), std::ptrdiff_t{1} << 31);
}

TEST(StringCharacters, OfEmptyStringsHaveAnAddressInRisingOrderAlone) {
  const std::array empty{""s};
  const Tensor tensor_of_empty = Tensor::of_strings({1}, empty);
  for (const CharacterOrder order : {CharacterOrder::rising, CharacterOrder::falling}) {
    const auto views = place_characters(tensor_of_empty, {Spot::Side::right, 0}, order, arena());
    ASSERT_TRUE(views && views->size() == sizeof(StringElement));
    StringElement element{};
    std::memcpy(&element, views->data(), sizeof element);
    EXPECT_EQ(element.size, 0U);
    EXPECT_EQ(element.bytes == nullptr, order == CharacterOrder::falling);
  }
}

TEST(StringCharacters, ThatDoNotFitAreNotPlaced) {
  const std::array large{std::string(1 << 16, 'a')};
  EXPECT_FALSE(place_characters(Tensor::of_strings({1}, large), {Spot::Side::right, 0},
                                CharacterOrder::rising, arena()));
}

}  // namespace
}  // namespace certile::conformance
