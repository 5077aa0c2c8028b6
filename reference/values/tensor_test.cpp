#include "reference/values/tensor.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "reference/values/case.hpp"

namespace certile {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> count_of(const Shape& shape) {
  return element_count(shape);
}

TEST(ElementCount, IsTheProductOfTheDimensions) {
  EXPECT_EQ(count_of({}), 1);
  EXPECT_EQ(count_of({7}), 7);
  EXPECT_EQ(count_of({2, 3, 4}), 24);
}

TEST(ElementCount, ReachesTwoToThe63MinusOneAndNoFurther) {
  EXPECT_EQ(count_of({largest}), largest);
  EXPECT_EQ(count_of({largest, 1, 1}), largest);
  EXPECT_EQ(count_of({largest, 2}), std::nullopt);
  EXPECT_EQ(count_of({std::int64_t{1} << 32, std::int64_t{1} << 31}), std::nullopt);
  EXPECT_EQ(count_of({(std::int64_t{1} << 32) - 1, std::int64_t{1} << 31}), ((std::int64_t{1} << 32) - 1)
                                                                                << 31);
}

TEST(ElementCount, IsZeroBesideAZeroWhateverTheOthers) {
  EXPECT_EQ(count_of({0, largest, largest}), 0);
  EXPECT_EQ(count_of({largest, largest, 0}), 0);
}

TEST(ElementCount, IsNothingForANegativeDimension) {
  EXPECT_EQ(count_of({-1}), std::nullopt);
  EXPECT_EQ(count_of({0, -1}), std::nullopt);
}

TEST(ByteSize, RoundsPackedElementsUp) {
  EXPECT_EQ(byte_size(ElementType::u3, 0), 0U);
  EXPECT_EQ(byte_size(ElementType::u3, 3), 2U);
  EXPECT_EQ(byte_size(ElementType::u1, 9), 2U);
  EXPECT_EQ(byte_size(ElementType::c128, 2), 32U);
}

TEST(ByteSize, IsNothingWhereItOverflows) {
  EXPECT_EQ(byte_size(ElementType::f32, largest), std::nullopt);
  EXPECT_EQ(byte_size(ElementType::u1, largest), (std::size_t{1} << 60U));
}

TEST(Tensor, StartsZeroed) {
  const Tensor tensor(ElementType::i16, {2});
  EXPECT_EQ(tensor.bytes().size(), 4U);
  EXPECT_EQ(tensor.element(0), Tensor::Bits{});
  EXPECT_EQ(tensor.element(1), Tensor::Bits{});
}

TEST(Tensor, KeepsAllBitsOfAnElement) {
  Tensor tensor(ElementType::c128, {2});
  tensor.set_element(1, {0x0123456789abcdef, 0xfedcba9876543210});
  EXPECT_EQ(tensor.element(1), (Tensor::Bits{0x0123456789abcdef, 0xfedcba9876543210}));
  EXPECT_EQ(tensor.element(0), Tensor::Bits{});
}

TEST(Tensor, HasACountButNoBytesWithoutElements) {
  const Tensor tensor = Tensor::without_elements(ElementType::f32, {largest});
  EXPECT_EQ(tensor.count(), largest);
  EXPECT_TRUE(tensor.bytes().empty());
}

TEST(Tensor, EqualsByTypeShapeAndBits) {
  Tensor left(ElementType::f32, {2});
  Tensor right(ElementType::f32, {2});
  EXPECT_EQ(left, right);
  right.set_element(1, {0x80000000, 0});  // -0 is not 0
  EXPECT_FALSE(left == right);
  EXPECT_FALSE(left == Tensor(ElementType::i32, {2}));
  EXPECT_FALSE(left == Tensor(ElementType::f32, {1, 2}));
}

TEST(Tensor, IgnoresPaddingBits) {
  Tensor left(ElementType::u3, {3});
  Tensor right(ElementType::u3, {3});
  right.bytes()[1] = std::byte{0xfe};
  EXPECT_EQ(left, right);
  right.bytes()[1] = std::byte{0x01};
  EXPECT_FALSE(left == right);
}

TEST(StringTensor, EqualsByContentNotByPointer) {
  const std::vector<std::string> strings{"one", std::string("t\0o", 3), ""};
  const std::vector<std::string> others{"one", std::string("t\0a", 3), ""};
  const Tensor left = Tensor::of_strings({3}, strings);
  const Tensor right = Tensor::of_strings({3}, strings);
  EXPECT_EQ(left, right);
  EXPECT_NE(left.string_element(0).data(), right.string_element(0).data());
  EXPECT_FALSE(left == Tensor::of_strings({3}, others));
}

TEST(StringTensor, SharesItsCharactersWithTheOutput) {
  std::optional<Tensor> output;
  {
    const Tensor data = Tensor::of_strings({1}, std::vector<std::string>{std::string(100, 'x')});
    output = Tensor::for_output_of(data, {2});
    output->set_element(1, data.element(0));
  }
  EXPECT_EQ(output->string_element(1), std::string(100, 'x'));
}

TEST(TensorText, SpellsATensorAsAnOperandDoes) {
  Tensor tensor(ElementType::f32, {1, 2});
  tensor.set_element(1, {0x3fc00000, 0});
  EXPECT_EQ(to_string(tensor), "f32[1,2]{0,1.5}");
  EXPECT_EQ(to_string(Tensor(ElementType::u1, {3})), "u1{0,0,0}");
  EXPECT_EQ(to_string(Tensor(ElementType::i8, {})), "i8[]{0}");
  EXPECT_EQ(to_string(Tensor(ElementType::i8, {0, 3})), "i8[0,3]");
  EXPECT_EQ(to_string(Tensor(ElementType::i8, {0})), "i8[0]");
  EXPECT_EQ(to_string(Tensor::of_strings({1}, std::vector<std::string>{"it's"})), "string{\"it\\u0027s\"}");
}

TEST(Tensor, KeepsItsElementsInAnotherShape) {
  const Tensor strings = Tensor::of_strings({2}, std::vector<std::string>{"a", "bc"});
  EXPECT_EQ(to_string(strings.reshaped({2, 1})), "string[2,1]{\"a\",\"bc\"}");
  EXPECT_EQ(to_string(Tensor::without_elements(ElementType::u1, {6}).reshaped({2, 3})), "u1[2,3]");
}

TEST(TensorText, SpellsTheShapeAloneOfATensorWithoutElements) {
  EXPECT_EQ(to_string(Tensor::without_elements(ElementType::f32, {largest})), "f32[9223372036854775807]");
  EXPECT_EQ(shape_to_string(ElementType::bf16, {}), "bf16[]");
}

TEST(TensorText, MakesTensorsFromSpellings) {
  const std::vector<std::string> numbers{"-8", "7", "0"};
  EXPECT_EQ(to_string(tensor_spelled(ElementType::i4, {1, 3}, numbers)), "i4[1,3]{-8,7,0}");
  const std::vector<std::string> strings{"\"a\"", "0xff", "\"\""};
  EXPECT_EQ(to_string(tensor_spelled(ElementType::string, {3}, strings)), "string{\"a\",0xff,\"\"}");
  EXPECT_EQ(to_string(tensor_spelled(ElementType::f64, {0, 2}, {})), "f64[0,2]");
}

TEST(TensorText, MakesTensorsFromWholeNumbers) {
  const std::vector<std::int64_t> numbers{-2, 0, 3};
  EXPECT_EQ(to_string(tensor_of_numbers(ElementType::i64, {3}, numbers)), "i64{-2,0,3}");
  EXPECT_EQ(to_string(tensor_of_numbers(ElementType::i4, {3, 1}, numbers)), "i4[3,1]{-2,0,3}");
  EXPECT_EQ(to_string(tensor_of_numbers(ElementType::f16, {3}, numbers)), "f16{-2,0,3}");
  const std::vector<std::int64_t> bits{1, 0, 1};
  EXPECT_EQ(to_string(tensor_of_numbers(ElementType::u1, {3}, bits)), "u1{1,0,1}");
  EXPECT_EQ(to_string(tensor_of_numbers(ElementType::boolean, {3}, bits)), "boolean{1,0,1}");
}

TEST(TensorText, SpellsTensorsAsACorpusDoes) {
  for (const std::string literal : {"i4[1,3]{-8,7,0}", "string{\"a\",0xff,\"\"}", "c64{0x0123456789abcdef}",
                                    "f16[]{0.5}", "u6{63,0,1}", "f64[0,2]"}) {
    const Result<CorpusLine> line = parse_corpus_line("openvino-tile-1 f32[1] x i64{1} => " + literal);
    ASSERT_TRUE(line) << line.error().what;
    EXPECT_EQ(to_string(*line->tensor), literal);
  }
}

}  // namespace
}  // namespace certile
