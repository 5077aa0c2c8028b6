#include "conformance/ask/rig/output_bytes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "conformance/ask/wire/request.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

constexpr std::byte first_poison{0xa5}, second_poison{0x5a};
constexpr std::size_t view_bytes = sizeof(StringElement);

std::vector<std::byte> poisoned(std::size_t views, std::byte pattern) {
  return std::vector<std::byte>(views * view_bytes, pattern);
}

void set_view(std::vector<std::byte>& views, std::size_t index, StringElement element) {
  std::memcpy(views.data() + index * view_bytes, &element, view_bytes);
}

std::uint64_t size_of(const std::vector<std::byte>& flat, std::size_t index) {
  std::uint64_t size = 0;
  std::memcpy(&size, flat.data() + index * sizeof size, sizeof size);
  return size;
}

std::string characters(const std::vector<std::byte>& flat, std::size_t count) {
  return {reinterpret_cast<const char*>(flat.data()) + count * 8, flat.size() - count * 8};
}

TEST(FlattenStrings, PutsSizesFirstAndThenTheCharacters) {
  auto views = poisoned(3, first_poison);
  set_view(views, 0, {"ab\0c", 4});
  set_view(views, 1, {nullptr, 0});
  set_view(views, 2, {"xyz", 3});
  const auto flat = flatten_strings(views, 3, first_poison, 1000);
  EXPECT_EQ(size_of(flat, 0), 4U);
  EXPECT_EQ(size_of(flat, 1), 0U);
  EXPECT_EQ(size_of(flat, 2), 3U);
  EXPECT_EQ(characters(flat, 3), std::string("ab\0cxyz", 7));
}

TEST(FlattenStrings, DoesNotFollowAViewThatIsAllPoison) {
  const auto flat = flatten_strings(poisoned(1, first_poison), 1, first_poison, 1000);
  EXPECT_EQ(size_of(flat, 0), unwritten_string);
  EXPECT_EQ(flat.size(), 8U);
}

TEST(FlattenStrings, DoesNotFollowAViewThatIsLongerThanTheReply) {
  auto views = poisoned(2, first_poison);
  set_view(views, 0, {"x", std::uint64_t{1} << 60});
  set_view(views, 1, {"x", ~std::uint64_t{0} - 5});
  const auto flat = flatten_strings(views, 2, first_poison, 1000);
  EXPECT_EQ(size_of(flat, 0), oversized_string);
  EXPECT_EQ(size_of(flat, 1), oversized_string);
}

TEST(FlattenStrings, TakesNoMoreThanItsLimitTogether) {
  const std::string characters_of_it(60, 'x');
  auto views = poisoned(3, first_poison);
  for (std::size_t index = 0; index < 3; ++index)
    set_view(views, index, {characters_of_it.data(), characters_of_it.size()});
  const auto flat = flatten_strings(views, 3, first_poison, 24 + 120);
  EXPECT_EQ(size_of(flat, 1), 60U);
  EXPECT_EQ(size_of(flat, 2), oversized_string);
}

TEST(FlattenStrings, OfNothingIsNothing) {
  EXPECT_TRUE(flatten_strings({}, 0, first_poison, 10).empty());
}

TEST(BothPoisons, AreHeldByAViewThatNobodyWrote) {
  EXPECT_TRUE(holds_both_poisons(poisoned(2, first_poison), poisoned(2, second_poison), second_poison));
}

TEST(BothPoisons, AreNotHeldByViewsThatWereWritten) {
  auto views = poisoned(1, first_poison);
  set_view(views, 0, {"abc", 3});
  EXPECT_FALSE(holds_both_poisons(views, views, second_poison));
}

TEST(BothPoisons, AreHeldByOneByteOfASize) {
  auto first = poisoned(1, first_poison), second = poisoned(1, second_poison);
  StringElement element{"abc", 3};
  set_view(first, 0, element);
  set_view(second, 0, element);
  first[view_bytes - 1] = first_poison;
  second[view_bytes - 1] = second_poison;
  EXPECT_TRUE(holds_both_poisons(first, second, second_poison));
}

TEST(BothPoisons, AreHeldByAPointerThatNobodyWrote) {
  auto first = poisoned(1, first_poison), second = poisoned(1, second_poison);
  const std::uint64_t size = 0;
  std::memcpy(first.data() + 8, &size, sizeof size);
  std::memcpy(second.data() + 8, &size, sizeof size);
  EXPECT_TRUE(holds_both_poisons(first, second, second_poison));
}

TEST(BothPoisons, MayBeInOneByteOfAPointerByChance) {
  auto first = poisoned(1, std::byte{0}), second = poisoned(1, std::byte{0});
  first[0] = first_poison;
  second[0] = second_poison;
  EXPECT_FALSE(holds_both_poisons(first, second, second_poison));
}

TEST(BothPoisons, AreNotLookedForWhereThereWasNoEarlierRun) {
  EXPECT_FALSE(holds_both_poisons({}, poisoned(1, second_poison), second_poison));
}

}  // namespace
}  // namespace certile::conformance
