#include "reference/values/element_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "reference/values/case.hpp"

namespace certile {
namespace {

// Returns the numbers as a text: "2 -1 beyond none".
std::string numbers(const std::string& operand) {
  std::string words;
  for (const auto& number : numbers_in(parse_case("openvino-tile-1 u8[1] x " + operand)->repeats)) {
    if (!words.empty()) words += ' ';
    words += !number ? "none" : number->beyond ? "beyond" : std::to_string(number->value);
  }
  return words;
}

TEST(NumbersIn, ReadsIntegersByTheirSign) {
  EXPECT_EQ(numbers("i4{-8,7}"), "-8 7");
  EXPECT_EQ(numbers("u3{7,0}"), "7 0");
  EXPECT_EQ(numbers("i64{-9223372036854775808,9223372036854775807}"),
            "-9223372036854775808 9223372036854775807");
  EXPECT_EQ(numbers("u64{9223372036854775807,9223372036854775808}"), "9223372036854775807 beyond");
  EXPECT_EQ(numbers("boolean{0,1}"), "0 1");
  EXPECT_EQ(numbers("i64{}"), "");
}

TEST(NumbersIn, ReadsWholeFloatsAndNoOthers) {
  EXPECT_EQ(numbers("f16{-2,-0,65504}"), "-2 0 65504");
  EXPECT_EQ(numbers("f32{0.5,0x7f800000,0x7fc00000,1e30}"), "none none none beyond");
  EXPECT_EQ(numbers("f64{4611686018427387904,-1.5}"), "4611686018427387904 none");
}

TEST(NumbersIn, ReadsNothingOfTypesThatNoRepeatsHave) {
  EXPECT_EQ(numbers("bf16{1}"), "none");
  EXPECT_EQ(numbers("c64{0x000000003f800000}"), "none");
  EXPECT_EQ(numbers("string{\"1\"}"), "none");
}

}  // namespace
}  // namespace certile
