#include "reference/values/element_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace certile {
namespace {

using Bits = Tensor::Bits;

std::string meaning(ElementType type, const std::string& spelling) {
  const Result<Bits> bits = element_from_text(type, spelling);
  return bits ? element_to_text(type, *bits) : bits.error().what;
}

void expect_round_trip(ElementType type, Bits pattern) {
  const std::string spelling = element_to_text(type, pattern);
  const Result<Bits> read = element_from_text(type, spelling);
  ASSERT_TRUE(read) << name(type) << ' ' << spelling << ": " << read.error().what;
  EXPECT_EQ(*read, pattern) << name(type) << ' ' << spelling;
}

TEST(ElementText, ReadsBackEveryPatternOfUpTo16Bits) {
  for (const ElementType type : all_element_types()) {
    if (bits(type) > 16) continue;
    const std::uint64_t patterns = type == ElementType::boolean ? 2 : std::uint64_t{1} << bits(type);
    for (std::uint64_t pattern = 0; pattern < patterns; ++pattern)
      expect_round_trip(type, {pattern, 0});
  }
}

TEST(ElementText, ReadsBackThePatternsAroundEveryBitOfWiderTypes) {
  for (const ElementType type : all_element_types()) {
    if (bits(type) <= 16 || type == ElementType::string) continue;
    const int width = bits(type) > 64 ? 64 : bits(type);
    const std::uint64_t all = std::numeric_limits<std::uint64_t>::max() >> (64 - width);
    for (int bit = 0; bit < width; ++bit) {
      const std::uint64_t power = std::uint64_t{1} << bit;
      for (const std::uint64_t pattern : {power - 1, power, power + 1, all - power, all ^ power}) {
        expect_round_trip(type, {pattern & all, 0});
        if (bits(type) == 128) expect_round_trip(type, {~pattern, pattern});
      }
    }
  }
}

TEST(ElementText, SpellsIntegersInDecimal) {
  EXPECT_EQ(element_to_text(ElementType::i4, {0x8, 0}), "-8");
  EXPECT_EQ(element_to_text(ElementType::i4, {0x7, 0}), "7");
  EXPECT_EQ(element_to_text(ElementType::u6, {0x3f, 0}), "63");
  EXPECT_EQ(element_to_text(ElementType::i64, {0x8000000000000000, 0}), "-9223372036854775808");
  EXPECT_EQ(element_to_text(ElementType::u64, {0xffffffffffffffff, 0}), "18446744073709551615");
}

TEST(ElementText, SpellsFloatsInTheShortestDecimal) {
  EXPECT_EQ(element_to_text(ElementType::f32, {0x3dcccccd, 0}), "0.1");
  EXPECT_EQ(element_to_text(ElementType::f32, {0x80000000, 0}), "-0");
  EXPECT_EQ(element_to_text(ElementType::f32, {0x47c35000, 0}), "1e5");
  EXPECT_EQ(element_to_text(ElementType::f32, {0x00000001, 0}), "1e-45");
  EXPECT_EQ(element_to_text(ElementType::f32, {0x7f7fffff, 0}), "3.4028235e38");
  EXPECT_EQ(element_to_text(ElementType::f64, {0x3fb999999999999a, 0}), "0.1");
  EXPECT_EQ(element_to_text(ElementType::f64, {0x0000000000000001, 0}), "5e-324");
}

TEST(ElementText, SpellsNarrowFloatsInTheShortestDecimalToo) {
  EXPECT_EQ(element_to_text(ElementType::f16, {0x3c00, 0}), "1");
  EXPECT_EQ(element_to_text(ElementType::f16, {0x4533, 0}), "5.2");
  EXPECT_EQ(element_to_text(ElementType::f16, {0x2e66, 0}), "0.1");
  EXPECT_EQ(element_to_text(ElementType::f16, {0x7bff, 0}), "65504");
  EXPECT_EQ(element_to_text(ElementType::f16, {0x8001, 0}), "-6e-8");
  EXPECT_EQ(element_to_text(ElementType::bf16, {0x3f80, 0}), "1");
  EXPECT_EQ(element_to_text(ElementType::bf16, {0x0001, 0}), "9e-41");
  EXPECT_EQ(element_to_text(ElementType::f8e4m3, {0x7e, 0}), "448");
  EXPECT_EQ(element_to_text(ElementType::f8e5m2, {0x7b, 0}), "57344");
  EXPECT_EQ(element_to_text(ElementType::f8e8m0, {0x00, 0}), "6e-39");
  EXPECT_EQ(element_to_text(ElementType::f8e8m0, {0x7f, 0}), "1");
  EXPECT_EQ(element_to_text(ElementType::f4e2m1, {0x7, 0}), "6");
  EXPECT_EQ(element_to_text(ElementType::f4e2m1, {0x9, 0}), "-0.5");
}

TEST(ElementText, SpellsNaNsAndInfinitiesAsBits) {
  EXPECT_EQ(element_to_text(ElementType::f32, {0x7fc00001, 0}), "0x7fc00001");
  EXPECT_EQ(element_to_text(ElementType::f32, {0xff800000, 0}), "0xff800000");
  EXPECT_EQ(element_to_text(ElementType::f64, {0x7ff0000000000001, 0}), "0x7ff0000000000001");
  EXPECT_EQ(element_to_text(ElementType::f16, {0x7c00, 0}), "0x7c00");
  EXPECT_EQ(element_to_text(ElementType::bf16, {0xffff, 0}), "0xffff");
  EXPECT_EQ(element_to_text(ElementType::f8e4m3, {0x7f, 0}), "0x7f");
  EXPECT_EQ(element_to_text(ElementType::f8e5m2, {0x7c, 0}), "0x7c");
  EXPECT_EQ(element_to_text(ElementType::f8e8m0, {0xff, 0}), "0xff");
}

TEST(ElementText, SpellsComplexAndNf4AsBitsAlone) {
  EXPECT_EQ(element_to_text(ElementType::nf4, {0xa, 0}), "0xa");
  EXPECT_EQ(element_to_text(ElementType::c64, {0xbf8000003f800000, 0}), "0xbf8000003f800000");
  EXPECT_EQ(element_to_text(ElementType::c128, {1, 0xbff0000000000000}),
            "0xbff00000000000000000000000000001");
}

TEST(ElementText, ShowsABooleanThatIsNone) {
  EXPECT_EQ(element_to_text(ElementType::boolean, {0x02, 0}), "0x02");
  EXPECT_EQ(meaning(ElementType::boolean, "0x02"), "0x02 is not a value of boolean");
}

TEST(ElementText, RoundsTheDecimalsOfEveryFloat) {
  EXPECT_EQ(meaning(ElementType::f32, "0.100000001"), "0.1");
  EXPECT_EQ(meaning(ElementType::f32, "16777217"), "16777216");
  EXPECT_EQ(meaning(ElementType::f64, "0.1000000000000000055"), "0.1");
  EXPECT_EQ(meaning(ElementType::f64, "9007199254740993"), "9007199254740992");
  EXPECT_EQ(meaning(ElementType::f16, "0.1"), "0.1");
  EXPECT_EQ(meaning(ElementType::f16, "2049"), "2048");
  EXPECT_EQ(meaning(ElementType::f16, "-65505"), "-65504");
  EXPECT_EQ(meaning(ElementType::bf16, "1.001"), "1");
  EXPECT_EQ(meaning(ElementType::f8e4m3, "449"), "448");
  EXPECT_EQ(meaning(ElementType::f8e5m2, "0.3"), "0.3");
  EXPECT_EQ(meaning(ElementType::f8e8m0, "3"), "2");
  EXPECT_EQ(meaning(ElementType::f4e2m1, "-0.3"), "-0.5");
}

TEST(ElementText, ReadsAlsoTheExactDecimalOfANarrowFloat) {
  EXPECT_EQ(meaning(ElementType::f16, "0.0999755859375"), "0.1");
  EXPECT_EQ(meaning(ElementType::f16, "0.099975586"), "0.1");
  EXPECT_EQ(meaning(ElementType::f16, "5.9604645e-8"), "6e-8");
  EXPECT_EQ(meaning(ElementType::bf16, "9.1835e-41"), "9e-41");
  EXPECT_EQ(meaning(ElementType::f8e5m2, "1.5258789e-5"), "2e-5");
  EXPECT_EQ(meaning(ElementType::f8e8m0, "1.7014118e38"), "2e38");
}

TEST(ElementText, SaysWhereTheNumbersOfAFloatEnd) {
  EXPECT_EQ(meaning(ElementType::f16, "65520"), "65520 is out of the range of f16, -65504 to 65504");
  EXPECT_EQ(meaning(ElementType::bf16, "-1e39"), "-1e39 is out of the range of bf16, -3.39e38 to 3.39e38");
  EXPECT_EQ(meaning(ElementType::f8e4m3, "480"), "480 is out of the range of f8e4m3, -448 to 448");
  EXPECT_EQ(meaning(ElementType::f4e2m1, "7"), "7 is out of the range of f4e2m1, -6 to 6");
  EXPECT_EQ(meaning(ElementType::f8e8m0, "0"), "0 is out of the range of f8e8m0, 6e-39 to 2e38");
  EXPECT_EQ(meaning(ElementType::f8e8m0, "-1"), "-1 is out of the range of f8e8m0, 6e-39 to 2e38");
  EXPECT_EQ(meaning(ElementType::f64, "1e309"),
            "1e309 is out of the range of f64, -1.7976931348623157e308 to 1.7976931348623157e308");
  EXPECT_EQ(meaning(ElementType::f16, "1e-8"),
            "1e-8 is too close to 0 for f16, whose smallest number above 0 is 6e-8");
  EXPECT_EQ(meaning(ElementType::f4e2m1, "-0.25"),
            "-0.25 is too close to 0 for f4e2m1, whose smallest number above 0 is 0.5");
  EXPECT_EQ(meaning(ElementType::f32, "1e-46"),
            "1e-46 is too close to 0 for f32, whose smallest number above 0 is 1e-45");
}

TEST(ElementText, RefusesWhatIsNoSpelling) {
  for (const char* spelling :
       {"", "-", "+1", ".5", "1.", "1e", "1e+", "00", "0x", "1 ", "inf", "nan", "1,5"}) {
    EXPECT_FALSE(element_from_text(ElementType::f32, spelling)) << spelling;
    EXPECT_FALSE(element_from_text(ElementType::i32, spelling)) << spelling;
    EXPECT_FALSE(element_from_text(ElementType::u1, spelling)) << spelling;
  }
}

TEST(ElementText, ShowsOnlyPrintableBeginningsOfWhatItRefuses) {
  EXPECT_EQ(meaning(ElementType::u8, "\x1b[31m"), "expected an integer or 0x bits for u8, found \\x1b[31m");
  EXPECT_EQ(meaning(ElementType::u8, std::string(1000, '9')),
            std::string(40, '9') + "... is out of the range of u8, 0 to 255");
}

TEST(StringText, SpellsUtf8AsJson) {
  EXPECT_EQ(string_to_text(""), "\"\"");
  EXPECT_EQ(string_to_text("a \"b\" \\ /"), "\"a \\\"b\\\" \\\\ /\"");
  EXPECT_EQ(string_to_text("it's"), "\"it\\u0027s\"");
  EXPECT_EQ(string_to_text(std::string("\0\n\x7f", 3)), "\"\\u0000\\u000a\\u007f\"");
  EXPECT_EQ(string_to_text("\xc3\xa9\xe2\x82\xac"), "\"\\u00e9\\u20ac\"");
  EXPECT_EQ(string_to_text("\xf0\x9f\x98\x80"), "\"\\ud83d\\ude00\"");
}

TEST(StringText, SpellsOtherBytesAsHex) {
  for (const std::string bytes :
       {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80", "a\x80"}) {
    const std::string spelling = string_to_text(bytes);
    EXPECT_TRUE(spelling.starts_with("0x")) << spelling;
    EXPECT_EQ(*string_from_text(spelling), bytes) << spelling;
  }
}

TEST(StringText, TellsUtf8FromOtherBytes) {
  for (const std::string utf8 : {"", "a", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                                 "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "a\xcc\x81"})
    EXPECT_TRUE(is_utf8(utf8)) << string_to_text(utf8);
  EXPECT_TRUE(is_utf8(std::string_view("a\0b", 3)));
  for (const std::string other :
       {"\x80", "\xc1\xbf", "\xdf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf8\x88\x80\x80\x80", "valid but for its end\xff"})
    EXPECT_FALSE(is_utf8(other)) << string_to_text(other);
}

TEST(StringText, AppendsTheUtf8OfACharacter) {
  std::string characters;
  for (const std::uint32_t character : {0U, 0x7fU, 0x80U, 0x7ffU, 0x800U, 0xffffU, 0x10000U, 0x10ffffU})
    append_utf8(characters, character);
  EXPECT_EQ(
      characters,
      std::string("\0\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 20));
}

TEST(StringText, ReadsEveryEscapeThatJsonHas) {
  EXPECT_EQ(*string_from_text("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\uD83D\\uDE00\""),
            "\"\\/\b\f\n\r\tA\xf0\x9f\x98\x80");
}

TEST(StringText, ReadsHexOfAnyBytes) {
  EXPECT_EQ(*string_from_text("0x61FF"), "a\xff");
}

TEST(StringText, ReadsBackEveryPairOfBytes) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string bytes{static_cast<char>(first), static_cast<char>(second)};
      const Result<std::string> read = string_from_text(string_to_text(bytes));
      ASSERT_TRUE(read) << string_to_text(bytes);
      ASSERT_EQ(*read, bytes) << string_to_text(bytes);
    }
  }
}

TEST(StringText, RefusesWhatIsNoString) {
  for (const char* spelling : {"", "\"", "a", "0x", "0x0", "0xgg", "\"a", "\"\\x41\"", "\"\\u12\"", "\"\\\"",
                               "\"\n\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"a\"b\""})
    EXPECT_FALSE(string_from_text(spelling)) << spelling;
}

}  // namespace
}  // namespace certile
