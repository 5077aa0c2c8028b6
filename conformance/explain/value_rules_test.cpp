#include "conformance/explain/value_rules.hpp"

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
