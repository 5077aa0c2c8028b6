#include "conformance/explain/value_rules.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/explain/broken_output_test.hpp"

namespace certile::conformance {
namespace {

const std::string rows_twice = "onnx-tile-13 i32[2,3] x i64{2,2}";  // rows 1 2 3 1 2 3 and 4 5 6 4 5 6, twice

TEST(ValueRules, SayUnwrittenOnlyIfNoWrongElementWasWritten) {
  EXPECT_EQ(what_instead(BrokenOutput(rows_twice).leave_unwritten({22, 23}).found()), "unwritten");
  EXPECT_EQ(what_instead(BrokenOutput(rows_twice).leave_unwritten({22}).change({23}).found()), "");
}

TEST(ValueRules, SayThatElementsHoldWhatTheOutputHeldBeforeTheCall) {
  BrokenOutput output(rows_twice);
  output.seen().set_element(5, {0x5a5a5a5a, 0});
  output.seen().set_element(7, {0x5a5a5a5a, 0});
  EXPECT_EQ(what_instead(output.found()),
            "what the output held before the call, 0x5a in each byte: probably not written");
}

TEST(ValueRules, SayThatAllAreZero) {
  BrokenOutput output(rows_twice);
  for (const std::int64_t index : {3, 7})
    output.seen().set_element(index, {0, 0});
  EXPECT_EQ(what_instead(output.found()), "all bits 0");
  output.seen().set_element(9, {8, 0});
  EXPECT_EQ(what_instead(output.found()), "not among the data's");
}

TEST(ValueRules, SayThatAllAreTheSame) {
  EXPECT_EQ(what_instead(BrokenOutput(rows_twice).put(1, 0).put(6, 0).put(20, 0).found()), "all the same: 1");
  BrokenOutput constant("onnx-tile-13 i32[1,2] x i64{1,2}");
  EXPECT_EQ(what_instead(constant.put(1, 0).put(3, 0).found()), "like every other element of the output: 1");
}

TEST(ValueRules, SayThatAllAreShifted) {
  EXPECT_EQ(what_instead(BrokenOutput(rows_twice).put(6, 7).put(7, 8).found()),
            "each the element expected 1 place later");
  EXPECT_EQ(what_instead(BrokenOutput(rows_twice).put(6, 0).put(7, 1).put(8, 2).found()),
            "each the element expected 3 places earlier");
}

TEST(ValueRules, RecognizeNumpysRepeat) {
  BrokenOutput output("onnx-tile-13 i32[2,2]{1,2,3,4} x i64{2,2}");
  const std::vector<std::uint64_t> repeated{1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4};
  for (std::size_t index = 0; index < repeated.size(); ++index)
    output.seen().set_element(static_cast<std::int64_t>(index), {repeated[index], 0});
  EXPECT_EQ(what_instead(output.found()), "those of numpy.repeat, which repeats each element next to itself");
}

// Of the small output two rules hold.
TEST(ValueRules, SayWhatHoldsForOtherFailuresToo) {
  const WrongElements found = BrokenOutput("onnx-tile-13 i32[2] x i64{2}").put(1, 0).put(2, 1).found();
  const WrongElements shifted = BrokenOutput(rows_twice).put(6, 7).put(7, 8).found();
  const WrongElements changed = BrokenOutput(rows_twice).change({6, 7}).found();
  EXPECT_EQ(what_instead(found), "those of numpy.repeat, which repeats each element next to itself");
  EXPECT_EQ(what_instead(found, std::vector{shifted}), "each the element expected 1 place later");
  EXPECT_EQ(what_instead(found, std::vector{shifted, shifted, shifted, changed}),
            "each the element expected 1 place later");
  EXPECT_EQ(what_instead(found, std::vector{shifted, changed}), "");
}

TEST(ValueRules, RecognizeReversedBytes) {
  BrokenOutput output(rows_twice);
  output.seen().set_element(1, {0x02000000, 0});
  output.seen().set_element(4, {0x02000000, 0});
  output.seen().set_element(5, {0x03000000, 0});
  EXPECT_EQ(what_instead(output.found()), "the expected ones with their bytes in the opposite order");
}

TEST(ValueRules, RecognizeExchangedHalvesAndWords) {
  BrokenOutput halves("onnx-tile-13 c128[2] x i64{2}");
  for (std::int64_t index = 0; index < 4; ++index) {
    const Tensor::Bits right = halves.expected().element(index);
    halves.seen().set_element(index, {right.high, right.low});
  }
  EXPECT_EQ(what_instead(halves.found()), "the expected ones with their halves exchanged");
  BrokenOutput words("onnx-tile-13 i64{0x0001000200030004,0x0005000600070008} x i64{2}");
  words.seen().set_element(0, {0x0004000300020001, 0});
  words.seen().set_element(3, {0x0008000700060005, 0});
  EXPECT_EQ(what_instead(words.found()),
            "the expected ones with their words of 2 bytes in the opposite order");
}

// Returns what is said of numbers that a function changes.
std::string said_of_changed(const std::string& literal, std::uint64_t (*change)(std::int64_t)) {
  BrokenOutput output(literal);
  for (std::int64_t index = 0; index < output.expected().count(); ++index)
    output.seen().set_element(index,
                              {change(static_cast<std::int64_t>(output.expected().element(index).low)), 0});
  return what_instead(output.found());
}

TEST(ValueRules, RecognizeNumbersThatWentThroughANarrowerType) {
  const std::string numbers = "onnx-tile-13 i64{5000000000,-1,9007199254740993,-70000} x i64{2}";
  EXPECT_EQ(
      said_of_changed(numbers,
                      [](std::int64_t it) {
                        return static_cast<std::uint64_t>(std::clamp<std::int64_t>(it, INT32_MIN, INT32_MAX));
                      }),
      "the expected ones clamped to the range of i32");
  EXPECT_EQ(said_of_changed(numbers,
                            [](std::int64_t it) {
                              return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(it)});
                            }),
            "the expected ones cut to 32 bits, as i32");
  EXPECT_EQ(said_of_changed(numbers, [](std::int64_t it) { return static_cast<std::uint64_t>(it) & 0xff; }),
            "the expected ones cut to 8 bits, as u8");
  EXPECT_EQ(said_of_changed(
                numbers, [](std::int64_t it) { return static_cast<std::uint64_t>(static_cast<double>(it)); }),
            "the expected ones rounded to f64");
  EXPECT_EQ(said_of_changed("onnx-tile-13 u8{1,200} x i64{2}", [](std::int64_t) { return std::uint64_t{7}; }),
            "like every other element of the output: 7");
}

TEST(ValueRules, SayUpToWhichByteStringsAreRight) {
  BrokenOutput cut(R"(onnx-tile-13 string{"abc","","abcdef"} x i64{1})");
  cut.seen() = Tensor::of_strings({3}, std::vector<std::string>{"ab", "", "ab"});
  EXPECT_EQ(what_instead(cut.found()), "the expected ones, cut to 2 bytes");
  BrokenOutput changed(R"(onnx-tile-13 string{"abc","","abcdef"} x i64{1})");
  changed.seen() = Tensor::of_strings({3}, std::vector<std::string>{"abx", "", "abxdef"});
  EXPECT_EQ(what_instead(changed.found()), "the expected ones, wrong from byte 2 on");
}

TEST(ValueRules, RecognizeTheDataInOneRow) {
  BrokenOutput output("onnx-tile-13 i32[3,1] x i64{1,4}");
  for (std::int64_t index = 0; index < 12; ++index)
    output.seen().set_element(index, {static_cast<std::uint64_t>(index % 3 + 1), 0});
  EXPECT_EQ(what_instead(output.found()), "those of the data over and over, as if the data had one axis");
}

TEST(ValueRules, RecognizeATransposition) {
  BrokenOutput output("onnx-tile-13 i32[2,2] x i64{1,2}");
  output.put(1, 4).put(3, 4).put(4, 1).put(6, 1);
  EXPECT_EQ(what_instead(output.found()), "those of the data with its last two axes swapped");
}

TEST(ValueRules, RecognizeWhatArithmeticChanges) {
  BrokenOutput floats("onnx-tile-13 f32{-0,0x7fa00001,3} x i64{2}");
  floats.seen().set_element(0, {0, 0});
  EXPECT_EQ(what_instead(floats.found()), "the expected ones, but −0 became +0");
  floats.seen().set_element(4, {0x7fe00001, 0});
  EXPECT_EQ(what_instead(floats.found()),
            "the expected ones, but −0 became +0 and signalling NaNs became quiet");
  floats.seen().set_element(2, {0x40a00000, 0});
  EXPECT_EQ(what_instead(floats.found()), "not among the data's");
  BrokenOutput integers("onnx-tile-13 i32{1,-2147483648} x i64{2}");
  integers.seen().set_element(1, {0, 0});
  EXPECT_EQ(what_instead(integers.found()), "the expected ones, but read as f32, −0 became +0");
  BrokenOutput tiny("onnx-tile-13 f64{5e-324} x i64{2}");
  tiny.seen().set_element(1, {0, 0});
  EXPECT_EQ(what_instead(tiny.found()), "the expected ones, but subnormal numbers became zero");
  BrokenOutput halves("onnx-tile-13 f16{0x7c01} x i64{2}");
  halves.seen().set_element(1, {0x7f00, 0});
  EXPECT_EQ(what_instead(halves.found()), "the expected ones, but NaNs became other NaNs");
}

TEST(ValueRules, RecognizeACounterOfEightBits) {
  BrokenOutput elements("onnx-tile-13 i32[600] x i64{1}");
  for (std::int64_t index = 256; index < 600; ++index)
    elements.put(index, index % 256);
  EXPECT_EQ(what_instead(elements.found()), "each what belongs 256 places, or a multiple of that, earlier");
  BrokenOutput rows("onnx-tile-13 i32[600,3] x i64{1,1}");
  for (std::int64_t index = 768; index < 1800; ++index)
    rows.put(index, index % 768);
  EXPECT_EQ(what_instead(rows.found()), "each what belongs 256 rows, or a multiple of that, earlier");
}

TEST(ValueRules, RecognizeAPatternThatIsStoredAsIfItsSizeWereAMultipleOfTheDatas) {
  BrokenOutput output("onnx-tile-13 u8{1,2,3} x i64{28}");
  for (std::int64_t index = 11; index < 84; ++index)
    output.put(index, 3 + (index - 3) % 8);
  EXPECT_EQ(what_instead(output.found()),
            "those of a pattern of 8 elements that the output repeats from element 3 on");
  output.put(81, 1).put(82, 2).put(83, 1);
  EXPECT_EQ(what_instead(output.found()),
            "mostly those of a pattern of 8 elements that the output repeats from element 3 on");
}

TEST(ValueRules, SayNothingOfAPatternThatTheExpectedOutputHas) {
  BrokenOutput output("onnx-tile-13 u8{1,2,3,9} x i64{28}");
  EXPECT_EQ(what_instead(output.put(1, 0).put(2, 3).found()), "each another element of the data");
}

TEST(ValueRules, SayOfOtherElementsWhetherTheyAreOfTheData) {
  EXPECT_EQ(what_instead(BrokenOutput(rows_twice).put(0, 4).put(7, 0).put(23, 2).found()),
            "each another element of the data");
  EXPECT_EQ(what_instead(BrokenOutput(rows_twice).put(0, 4).found()), "another element of the data");
  EXPECT_EQ(what_instead(BrokenOutput(rows_twice).put(0, 4).put(7, 0).change({23}).found()), "");
}

}  // namespace
}  // namespace certile::conformance
