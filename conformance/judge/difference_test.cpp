#include "conformance/judge/difference.hpp"

#include <gtest/gtest.h>

#include <array>

#include "conformance/judge/judge_test.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

std::string told(const std::string& expected, const std::string& seen) {
  const Tensor right = tensor(expected), wrong = tensor(seen);
  const auto found = difference(right, wrong);
  return found ? describe(*found, right, wrong) : "the same";
}

TEST(Difference, IsNoneBetweenEqualTensors) {
  EXPECT_EQ(told("f32[2,2]{1,2,3,4}", "f32[2,2]{1,2,3,4}"), "the same");
  EXPECT_EQ(told("f32[0,3]", "f32[0,3]"), "the same");
  EXPECT_EQ(told(R"(string{"a","b"})", R"(string{"a","b"})"), "the same");
}

TEST(Difference, NamesTheFirstWrongElementByItsIndexAndItsBits) {
  EXPECT_EQ(told("f32[2,3]{1,2,3,4,5,6}", "f32[2,3]{1,2,3,4,5,5}"),
            "element [1,2] is 0x40a00000 (5), expected 0x40c00000 (6); 1 of 6 differs");
}

TEST(Difference, CountsHowManyDiffer) {
  EXPECT_EQ(told("u8{1,2,3}", "u8{1,9,8}"), "element [1] is 0x09 (9), expected 0x02 (2); 2 of 3 differ");
}

TEST(Difference, CountsUnwrittenElementsThatAreRightByChance) {
  const Tensor right = tensor("u8{1,2,3}"), wrong = tensor("u8{1,2,9}");
  EXPECT_EQ(describe(*difference(right, wrong), right, wrong, {false, true, true}),
            "element [1] was not written, expected 0x02 (2); 2 of 3 differ");
}

TEST(Difference, CutsStringsAroundTheirFirstDifference) {
  const std::string long_start(100, 'a');
  const std::string words = told("string{\"" + long_start + "b\"}", "string{\"" + long_start + "c\"}");
  EXPECT_NE(words.find("aab\""), std::string::npos) << words;
  EXPECT_NE(words.find("aac\""), std::string::npos) << words;
}

TEST(Difference, SaysAnElementOfRankZeroWithoutAnIndex) {
  EXPECT_EQ(told("i16[]{1}", "i16[]{-1}"), "element [] is 0xffff (-1), expected 0x0001 (1); 1 of 1 differs");
}

TEST(Difference, SeesTheSignOfZeroAndThePayloadOfANan) {
  EXPECT_EQ(told("f32{-0}", "f32{0}"),
            "element [0] is 0x00000000 (0), expected 0x80000000 (-0); 1 of 1 differs");
  EXPECT_EQ(told("f32{0x7fa00001}", "f32{0x7fe00001}"),
            "element [0] is 0x7fe00001, expected 0x7fa00001; 1 of 1 differs");
}

TEST(Difference, FindsOneElementWhereverItIsAmongManyEqualOnes) {
  for (const char* type : {"u8", "u16", "f32", "i64", "c128"}) {
    const Tensor right = tensor(std::string(type) + "[533]");
    const std::size_t width = right.bytes().size() / 533;
    for (std::size_t index = 0; index < 533; ++index) {
      Tensor wrong = right;
      wrong.bytes()[index * width] ^= std::byte{1};
      const auto found = difference(right, wrong);
      ASSERT_TRUE(found) << type << " " << index;
      EXPECT_EQ(found->first, static_cast<std::int64_t>(index)) << type;
      EXPECT_EQ(found->wrong, 1) << type << " " << index;
      wrong.bytes()[532 * width] ^= std::byte{2};
      EXPECT_EQ(difference(right, wrong)->wrong, index == 532 ? 1 : 2) << type << " " << index;
    }
  }
}

TEST(Difference, LooksIntoPackedTypesElementByElement) {
  EXPECT_EQ(told("u4[3]{1,2,3}", "u4[3]{1,2,4}"), "element [2] is 0x4 (4), expected 0x3 (3); 1 of 3 differs");
  EXPECT_EQ(told("u1{1,0,1}", "u1{1,1,1}"), "element [1] is 0x1 (1), expected 0x0 (0); 1 of 3 differs");
}

TEST(Difference, LeavesThePaddingOfTheLastByteOut) {
  const Tensor right = tensor("u4{1,2,3}");
  Tensor padded = right;
  padded.bytes()[1] |= std::byte{0xf0};
  EXPECT_FALSE(difference(right, padded));
}

TEST(Difference, ShowsAByteThatIsNoBoolean) {
  const Tensor right = tensor("boolean{1}");
  Tensor wrong = right;
  wrong.bytes()[0] = std::byte{0xa5};
  EXPECT_EQ(describe(*difference(right, wrong), right, wrong),
            "element [0] is 0xa5 (no boolean), expected 0x01 (1); 1 of 1 differs");
}

TEST(Difference, ComparesStringsByTheirCharacters) {
  EXPECT_EQ(told(R"(string{"a\u0000b"})", R"(string{"a"})"),
            R"(element [0] is "a", expected "a\u0000b"; 1 of 1 differs)");
}

TEST(Difference, ShowsWideElementsInFull) {
  EXPECT_EQ(told("c128{0x0123456789abcdeffedcba9876543210}", "c128{0x0123456789abcdeffedcba9876543211}"),
            "element [0] is 0x0123456789abcdeffedcba9876543211, expected 0x0123456789abcdeffedcba9876543210; "
            "1 of 1 differs");
}

bool only_bits(const std::string& expected, const std::string& seen, Fill::Kind fill = Fill::Kind::index) {
  return only_bits_differ(tensor(expected), tensor(seen), fill);
}

TEST(OnlyBitsDiffer, WhereAValueAppearsThatTheDataDoesNotHave) {
  EXPECT_TRUE(only_bits("u32{16777217,1}", "u32{16777216,1}"));
  EXPECT_TRUE(only_bits(R"(string{"a\u0000b"})", R"(string{"a"})"));
}

TEST(OnlyBitsDiffer, NotWhereElementsChangedTheirPlaces) {
  EXPECT_FALSE(only_bits("f32{1,2,1,2}", "f32{1,1,2,2}"));
  EXPECT_FALSE(only_bits("f32{1,2}", "f32{2,1}"));
}

TEST(OnlyBitsDiffer, WhereSomeNansWereMadeQuietAndEqualOnesNot) {
  EXPECT_TRUE(only_bits("f16{0x7c01,0x7e01,0x7c01}", "f16{0x7e01,0x7e01,0x7c01}"));
  EXPECT_TRUE(only_bits("f16{0xfc01,0xfe00,0xfc01}", "f16{0xfe01,0xfe00,0xfe00}"));
  EXPECT_FALSE(only_bits("f16{0x7c01,0x7e01,0x7c01}", "f16{0x7e01,0x7c01,0x7c01}"));
  EXPECT_FALSE(only_bits("f16{0x7e01,0x7e02}", "f16{0x7e02,0x7e01}"));
}

TEST(OnlyBitsDiffer, WhereANanAZeroOrASubnormalBecameAnotherThatTheDataHoldsToo) {
  EXPECT_TRUE(only_bits("f32{0x7fa00001,0x7fc00000}", "f32{0x7fc00000,0x7fc00000}"));
  EXPECT_TRUE(only_bits("f32{-0,0}", "f32{0,0}"));
  EXPECT_TRUE(only_bits("f16{0x0001,0}", "f16{0,0}"));
}

TEST(OnlyBitsDiffer, NotWhereANanOrAZeroStandsInThePlaceOfAnother) {
  EXPECT_FALSE(only_bits("f16{0x7c01,0x7e00,0x7c01,0x7e00}", "f16{0x7c01,0x7c01,0x7e00,0x7e00}"));
  EXPECT_FALSE(only_bits("f32{-0,0}", "f32{0,-0}"));
  EXPECT_FALSE(only_bits("f16{0x7c01,0x7e00}", "f16{0x7e00,0x7c01}", Fill::Kind::special));
}

TEST(OnlyBitsDiffer, NotWhereOneValueStandsInTheCopyThatIsMissing) {
  EXPECT_FALSE(only_bits("f32{1,2,1,2}", "f32{1,2,0,0}"));
  EXPECT_FALSE(only_bits("f32{1,1,1}", "f32{1,1,0}"));
  EXPECT_FALSE(only_bits("boolean{1,0,1,0}", "boolean{1,0,0,0}"));
  EXPECT_TRUE(only_bits("u64{4294967296,1,4294967296,1}", "u64{0,1,0,1}"));
}

TEST(OnlyBitsDiffer, WhereASpecialFillWasChangedAlikeEverywhere) {
  EXPECT_TRUE(only_bits("i32{2147483647,-2147483648,2147483647}", "i32{-2147483648,-2147483648,-2147483648}",
                        Fill::Kind::special));
  EXPECT_FALSE(only_bits("f32{1,2,1,2}", "f32{1,1,2,2}", Fill::Kind::special));
}

TEST(HoldsElementsOf, AnotherCallWhoseElementsAppear) {
  const std::array<Tensor, 2> answers = {tensor("f32{1,2}"), tensor("f32{7,8}")};
  EXPECT_TRUE(holds_elements_of(answers[0], tensor("f32{1,8}"), answers));
  EXPECT_FALSE(holds_elements_of(answers[0], tensor("f32{1,9}"), answers));
  EXPECT_FALSE(holds_elements_of(answers[0], tensor("f32{2,2}"), answers));
}

}  // namespace
}  // namespace certile::conformance
