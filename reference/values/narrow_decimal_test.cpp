#include "reference/values/float_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace certile {
namespace {

using enum ElementType;

const std::vector<ElementType> narrow_types{f16, bf16, f8e4m3, f8e5m2, f8e8m0, f4e2m1};

// Returns the value as in "1.25e-3", with `digits` digits after the point.
std::string scientific(double value, int digits) {
  std::string text(200, '\0');
  const int size = std::snprintf(text.data(), text.size(), "%.*e", digits, value);
  text.resize(static_cast<std::size_t>(size));
  return text;
}

// Returns the decimal with more digits after its last digit.
std::string extended(const std::string& decimal, const std::string& digits) {
  const std::size_t mark = decimal.find('e');
  return decimal.substr(0, mark) + digits + decimal.substr(mark);
}

// Returns a decimal that is less than `value` by too little for a double to show.
std::string just_below(double value) {
  std::string decimal = scientific(value, 110);
  std::size_t last = decimal.find_last_not_of('0', decimal.find('e') - 1);
  if (decimal[last] == '.') --last;
  --decimal[last];
  for (std::size_t place = last + 1; decimal[place] != 'e'; ++place)
    if (decimal[place] == '0') decimal[place] = '9';
  return decimal;
}

std::string just_above(double value) {
  return extended(scientific(value, 110), "1");
}

std::string written(ElementType type, std::uint32_t pattern) {
  std::string text;
  append_narrow_decimal(text, type, pattern);
  return text;
}

TEST(NarrowDecimal, IsRoundedToTheNearerNeighbourHoweverCloseTheMiddleIs) {
  for (const ElementType type : narrow_types) {
    const FloatFormat format = *float_format(type);
    for (std::uint32_t pattern = 0; pattern < format.largest_finite; ++pattern) {
      const double middle = (static_cast<double>(narrow_value(format, pattern)) +
                             static_cast<double>(narrow_value(format, pattern + 1))) /
                            2;
      const auto below = narrow_from_decimal(format, just_below(middle));
      const auto above = narrow_from_decimal(format, just_above(middle));
      const auto at = narrow_from_decimal(format, scientific(middle, 110));
      const bool becomes_zero = pattern == 0 && format.is_signed;
      EXPECT_EQ(below, becomes_zero ? std::nullopt : std::optional(pattern)) << name(type) << ' ' << middle;
      EXPECT_EQ(above, pattern + 1) << name(type) << ' ' << middle;
      EXPECT_EQ(at, becomes_zero ? std::nullopt : std::optional(pattern + pattern % 2))
          << name(type) << ' ' << middle;
    }
  }
}

TEST(NarrowDecimal, IsRoundedOnceWhereADoubleWouldLieInTheMiddle) {
  // 1 + 2^-11, half a unit above 1, and decimals above and below that by 2^-70.
  const FloatFormat format = *float_format(f16);
  EXPECT_EQ(narrow_from_decimal(format, "1.00048828125"), 0x3c00U);
  EXPECT_EQ(narrow_from_decimal(format, "1.00048828125000000000084703294725430033906832"), 0x3c01U);
  EXPECT_EQ(narrow_from_decimal(format, "1.00048828124999999999915296705274569966093168"), 0x3c00U);
  // 1 + 3 * 2^-11, whose lower neighbour has the odd pattern.
  EXPECT_EQ(narrow_from_decimal(format, "1.00146484375"), 0x3c02U);
  EXPECT_EQ(narrow_from_decimal(format, "1.00146484374999999999999999999999999999"), 0x3c01U);
  EXPECT_EQ(narrow_from_decimal(format, "-1.00146484374999999999999999999999999999"), 0xbc01U);
}

TEST(NarrowDecimal, EndsWhereTheNextNumberWouldBeNearer) {
  const auto read = [](ElementType type, const char* decimal) {
    return narrow_from_decimal(*float_format(type), decimal);
  };
  EXPECT_EQ(read(f16, "65519.99999999999999999999999"), 0x7bffU);
  EXPECT_EQ(read(f16, "65520"), std::nullopt);
  EXPECT_EQ(read(f16, "-65519"), 0xfbffU);
  EXPECT_EQ(read(f16, "1e400"), std::nullopt);
  EXPECT_EQ(read(f8e5m2, "61439"), 0x7bU);
  EXPECT_EQ(read(f8e5m2, "61440"), std::nullopt);
  // The tie goes to the even pattern, the largest number; the next pattern would be a NaN.
  EXPECT_EQ(read(f8e4m3, "464"), 0x7eU);
  EXPECT_EQ(read(f8e4m3, "464.00000000000000000000000000001"), std::nullopt);
  EXPECT_EQ(read(f4e2m1, "6.9999999999999999999999999999"), 0x7U);
  EXPECT_EQ(read(f4e2m1, "7"), std::nullopt);
  EXPECT_EQ(read(bf16, "339617752923046005526922703901628039167"), 0x7f7fU);
  EXPECT_EQ(read(bf16, "339617752923046005526922703901628039168"), std::nullopt);
}

TEST(NarrowDecimal, OfATypeOfPowersOfTwoIsAPowerOfTwo) {
  const FloatFormat format = *float_format(f8e8m0);
  EXPECT_EQ(narrow_from_decimal(format, "1"), 127U);
  EXPECT_EQ(narrow_from_decimal(format, "1.5"), 128U);
  EXPECT_EQ(narrow_from_decimal(format, "3"), 128U);
  EXPECT_EQ(narrow_from_decimal(format, "3.1"), 129U);
  EXPECT_EQ(narrow_from_decimal(format, "2e38"), 0xfeU);
  EXPECT_EQ(narrow_from_decimal(format, "2.6e38"), std::nullopt);
  EXPECT_EQ(narrow_from_decimal(format, "6e-39"), 0U);
  EXPECT_EQ(narrow_from_decimal(format, "4e-39"), std::nullopt);
  EXPECT_EQ(narrow_from_decimal(format, "0"), std::nullopt);
  EXPECT_EQ(narrow_from_decimal(format, "-0"), std::nullopt);
  EXPECT_EQ(narrow_from_decimal(format, "-1"), std::nullopt);
}

TEST(NarrowDecimal, MayHaveAnyExponent) {
  const FloatFormat format = *float_format(f16);
  EXPECT_EQ(narrow_from_decimal(format, "0e99999999999999999999"), 0U);
  EXPECT_EQ(narrow_from_decimal(format, "-0.000E-99999999999999999999"), 0x8000U);
  EXPECT_EQ(narrow_from_decimal(format, "1e99999999999999999999"), std::nullopt);
  EXPECT_EQ(narrow_from_decimal(format, "1e-99999999999999999999"), std::nullopt);
  EXPECT_EQ(narrow_from_decimal(format, "0." + std::string(1000, '0') + "1e+1001"), 0x3c00U);
  EXPECT_EQ(narrow_from_decimal(format, "100048828125" + std::string(500, '0') + "1e-512"), 0x3c01U);
}

TEST(NarrowDecimal, BelowOneIsKnownByItsPoint) {
  for (const char* below : {"0", "0.9", "0.999e0", "10e-2", "1e-99999999999999999999", "-0.5"})
    EXPECT_TRUE(is_below_one(below)) << below;
  for (const char* not_below : {"1", "0.1e1", "100e-2", "1e99999999999999999999", "-1"})
    EXPECT_FALSE(is_below_one(not_below)) << not_below;
}

// Returns the number of significant digits of a decimal: without zeros at the beginning and the end.
std::size_t digits_of(const std::string& decimal) {
  std::string digits;
  for (const char character : decimal.substr(0, decimal.find('e')))
    if (character >= '0' && character <= '9') digits += character;
  digits.erase(0, digits.find_first_not_of('0'));
  return digits.find_last_not_of('0') + 1;
}

// Returns the decimals of `digits` digits around a value: the nearest one, and its neighbours.
std::vector<std::string> around(double value, int digits) {
  const std::string nearest = scientific(value, digits - 1);
  const double unit = std::stod("1" + nearest.substr(nearest.find('e'))) / std::pow(10, digits - 1);
  return {nearest, scientific(std::stod(nearest) - unit, digits - 1),
          scientific(std::stod(nearest) + unit, digits - 1)};
}

TEST(NarrowDecimal, HasNoDigitMoreThanItNeeds) {
  for (const ElementType type : narrow_types) {
    const FloatFormat format = *float_format(type);
    for (std::uint32_t pattern = format.is_signed ? 1 : 0; pattern <= format.largest_finite; ++pattern) {
      const auto value = static_cast<double>(narrow_value(format, pattern));
      const std::string decimal = written(type, pattern);
      EXPECT_EQ(narrow_from_decimal(format, decimal), pattern) << decimal;
      const bool is_whole_number = decimal.find_first_of(".e") == std::string::npos;
      if (is_whole_number) {
        EXPECT_EQ(std::stod(decimal), value) << decimal;
        continue;
      }
      const auto fewer = static_cast<int>(digits_of(decimal)) - 1;
      if (fewer == 0) continue;
      for (const std::string& other : around(value, fewer))
        EXPECT_NE(narrow_from_decimal(format, other), pattern)
            << name(type) << ' ' << decimal << ' ' << other;
    }
  }
}

TEST(NarrowDecimal, IsTheNearestOfThoseWithAsFewDigits) {
  EXPECT_EQ(written(f16, 0x4533), "5.2");
  EXPECT_EQ(written(f16, 0x2e66), "0.1");
  EXPECT_EQ(written(f16, 0x0001), "6e-8");
  EXPECT_EQ(written(f16, 0x03ff), "6.1e-5");
  EXPECT_EQ(written(f16, 0x8000), "-0");
  EXPECT_EQ(written(bf16, 0x3f81), "1.01");
  EXPECT_EQ(written(bf16, 0x0001), "9e-41");
  EXPECT_EQ(written(bf16, 0x7f7f), "3.39e38");
  EXPECT_EQ(written(f8e4m3, 0x01), "0.002");
  EXPECT_EQ(written(f8e5m2, 0x01), "2e-5");
  EXPECT_EQ(written(f8e8m0, 0x00), "6e-39");
  EXPECT_EQ(written(f8e8m0, 0xfe), "2e38");
  EXPECT_EQ(written(f4e2m1, 0xf), "-6");
}

TEST(NarrowDecimal, LeavesWholeNumbersAsTheyAre) {
  EXPECT_EQ(written(f16, 0x7bff), "65504");
  EXPECT_EQ(written(f16, 0x6801), "2050");
  EXPECT_EQ(written(f8e5m2, 0x7b), "57344");
  EXPECT_EQ(written(f8e8m0, 131), "16");
  EXPECT_EQ(written(f8e8m0, 127 + 17), "1e5");
}

}  // namespace
}  // namespace certile
