#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "reference/oracle/promote.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/second/tile_by_copies.hpp"
#include "reference/values/case.hpp"
#include "reference/values/definitions_test.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

// Tests of every small case: all shapes of the data and all repeats up to a rank, entries 0 to 3.

namespace certile::second {
namespace {

// Returns all vectors of up to `rank` entries, each 0 to 3.
std::vector<Shape> all_small(std::size_t rank) {
  std::vector<Shape> result{{}};
  for (std::size_t first = 0, length = 0; length < rank; ++length) {
    const std::size_t last = result.size();
    for (; first < last; ++first)
      for (std::int64_t entry = 0; entry <= 3; ++entry) {
        Shape longer = result[first];
        longer.push_back(entry);
        result.push_back(std::move(longer));
      }
  }
  return result;
}

Case question(DefinitionId definition, ElementType type, const Shape& shape, const Shape& repeats) {
  Case made;
  made.definition = definition;
  made.data = Tensor::without_elements(type, shape);
  made.repeats = tensor_of_numbers(ElementType::i64, {static_cast<std::int64_t>(repeats.size())}, repeats);
  return made;
}

// Returns true if both oracles give the same shape or both refuse.  The data has no elements, so neither
// oracle needs them.
bool agree_on_the_shape(const Case& asked) {
  const oracle::Ruling ruling = oracle::promote(asked);
  const auto* by_definition = oracle::promoted(ruling);
  const auto by_copies = shape_by_copies(asked);
  if (by_definition == nullptr || !by_copies)
    return by_definition == nullptr && !by_copies && by_copies.error().code == Error::Code::rejected;
  return by_definition->output == by_copies->shape &&
         std::holds_alternative<oracle::Open>(ruling) == by_copies->is_open;
}

// Returns true if both oracles give the same tensor or both refuse, and the same for the shape alone.
bool agree(const Case& asked) {
  if (!agree_on_the_shape(asked)) return false;
  const Tensor data = data_of(asked);
  const auto by_definition = oracle::tile(asked, data);
  const auto by_copies = tile_by_copies(asked, data);
  if (!by_definition || !by_copies)
    return !by_definition && !by_copies && by_definition.error().code == by_copies.error().code;
  return *by_definition == *by_copies && by_copies->shape() == shape_by_copies(asked)->shape;
}

// Compares the oracles on all small cases up to a rank, and returns the number of cases.
int sweep(DefinitionId definition, ElementType type, std::size_t rank) {
  int asked = 0;
  const std::vector<Shape> small = all_small(rank);
  for (const Shape& shape : small)
    for (const Shape& repeats : small) {
      ++asked;
      const Case made = question(definition, type, shape, repeats);
      if (!agree(made)) ADD_FAILURE() << to_string(made);
    }
  return asked;
}

using enum ElementType;

// Only openvino-tile-1 promotes, so sweeps of the others for each width would add nothing.
TEST(Oracles, AgreeOnEveryShapeOfEveryWidthUpToRankThree) {
  for (const ElementType type : {u1, u2, u3, i4, u6, boolean, bf16, f32, f64, c128, string})
    EXPECT_EQ(sweep(openvino_tile_1, type, 3), 85 * 85) << name(type);
}

// Widths have no part in what a fourth axis adds, but for elements that share bytes.
TEST(Oracles, AgreeOnEveryShapeUpToRankFour) {
  EXPECT_EQ(sweep(openvino_tile_1, u3, 4), 341 * 341);
  EXPECT_EQ(sweep(openvino_tile_1, f32, 4), 341 * 341);
}

TEST(Oracles, AgreeOnEveryShapeOfOnnxUpToRankFour) {
  EXPECT_EQ(sweep(onnx_tile_13, u16, 4), 341 * 341);
  EXPECT_EQ(sweep(onnx_tile_6, string, 4), 341 * 341);
}

TEST(Oracles, AgreeOnEveryAxisOfOnnxTile1) {
  int asked = 0;
  for (const ElementType type : {f16, f32, f64})
    for (const Shape& shape : all_small(3))
      for (const char* tiles : {"-1", "0", "1", "2", "3", "1.5", "65504"})
        for (const char* axis : {"-4", "-3", "-2", "-1", "0", "1", "2", "3", "0.5"}) {
          if (element_count(shape).value() > 8 && std::string(tiles) == "65504") continue;
          Case made = question(onnx_tile_1, type, shape, {});
          made.repeats = tensor_spelled(type, {}, std::vector<std::string>{tiles});
          made.axis = tensor_spelled(type, {}, std::vector<std::string>{axis});
          ++asked;
          if (!agree(made)) ADD_FAILURE() << to_string(made);
        }
  EXPECT_GT(asked, 14'000);
}

// Compares all shapes and repeats of numbers at which products overflow, and of their neighbours.
TEST(Oracles, AgreeOnEveryShapeOfHugeNumbersUpToRankTwo) {
  const std::vector<std::int64_t> data{
      0, 1, 3, 4294967295, 4294967296, 3037000499, 3037000500, 4611686018427387904, 9223372036854775807};
  std::vector<std::int64_t> factors = data;
  factors.insert(factors.end(), {-1, 2, 2147483647, 2147483648, 3074457345618258602, 3074457345618258603,
                                 9223372036854775806, std::numeric_limits<std::int64_t>::min()});
  int asked = 0;
  int answered = 0;
  for (const DefinitionId definition : {openvino_tile_1, onnx_tile_13})
    for (const std::int64_t first : data)
      for (const std::int64_t second : data) {
        if (!element_count(Shape{first, second})) continue;
        for (const std::int64_t once : factors)
          for (const std::int64_t again : factors)
            for (const Shape& repeats : {Shape{once, again}, Shape{again}, Shape{1, once, again}}) {
              const Case made = question(definition, u8, {first, second}, repeats);
              ++asked;
              answered += shape_by_copies(made) ? 1 : 0;
              if (!agree_on_the_shape(made)) ADD_FAILURE() << to_string(made);
            }
      }
  EXPECT_GT(asked, 50'000);
  EXPECT_GT(answered, 5'000);
}

// Returns small numbers and the limits of the type.
std::vector<std::string> numbers_of(ElementType type) {
  const int width = bits(type) - (is_signed_integer(type) ? 1 : 0);
  const std::uint64_t largest = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  std::vector<std::string> numbers{"0", "1", std::to_string(largest), std::to_string(largest - 1)};
  if (largest > 3) numbers.emplace_back("3");
  if (is_signed_integer(type))
    numbers.insert(numbers.end(),
                   {"-1", "-2", "-" + std::to_string(largest), "-" + std::to_string(largest + 1)});
  return numbers;
}

TEST(Oracles, AgreeOnTheNumbersOfEveryTypeOfRepeats) {
  for (const ElementType type : all_element_types()) {
    if (!is_integer(type) && type != boolean) continue;
    const std::string spelled(name(type));
    for (const std::string& number :
         type == boolean ? std::vector<std::string>{"0", "1"} : numbers_of(type)) {
      const bool is_small = number.size() < 4;
      for (const std::string& data : {std::string("u8[0,2]"), std::string(is_small ? "u8[2,2]" : "u8[2,0]")})
        for (const std::string& repeats : {"{" + number + ",1}", "{1," + number + "}", "{" + number + "}"}) {
          const std::string literal = "openvino-tile-1 " + data + " x " + spelled + repeats;
          const auto asked = parse_case(literal);
          ASSERT_TRUE(asked) << literal;
          EXPECT_TRUE(agree(*asked)) << literal;
        }
    }
  }
}

TEST(Oracles, AgreeOnTheNumbersOfRepeatsForOnnx) {
  for (const char* definition : {"onnx-tile-6", "onnx-tile-13", "onnx-tile-1"})
    for (const std::string& number : numbers_of(i64))
      for (const std::string data : {"f32[0]", number.size() < 4 ? "f32[2]" : "f16[0]"}) {
        std::string literal = std::string(definition) + " " + data + " x i64";
        literal += std::string(definition) == "onnx-tile-1" ? "[]{" + number + "} along i64[]{0}"
                                                            : "{" + number + "}";
        const auto asked = parse_case(literal);
        ASSERT_TRUE(asked) << literal;
        EXPECT_TRUE(agree(*asked)) << literal;
      }
}

TEST(Oracles, AgreeOnTheTypesAndRanksOfEveryOperand) {
  std::vector<std::string> literals;
  for (const ElementType type : all_element_types()) {
    const std::string spelled(name(type));
    for (const std::string definition : {"openvino-tile-1", "onnx-tile-13", "onnx-tile-6"}) {
      literals.push_back(definition + " " + spelled + "[2,0] x i64{1,2}");
      if (type != ElementType::string) literals.push_back(definition + " u8[2] x " + spelled + "{1}");
      literals.push_back(definition + " u8[2] x " + spelled + "[0]{}");
      literals.push_back(definition + " u8[] x " + spelled + "[0]{}");
    }
    literals.push_back("onnx-tile-1 " + spelled + "[2,0] x i64[]{1} along i64[]{0}");
    for (const std::string number : {"1", "2"})
      if (type != ElementType::string && number <= (type == u1 || type == boolean ? "1" : "2")) {
        literals.push_back("onnx-tile-1 f32[2,2] x " + spelled + "[]{" + number + "} along f32[]{0}");
        literals.push_back("onnx-tile-1 f16[2,2] x f16[]{2} along " + spelled + "[]{" + number + "}");
      }
  }
  for (const std::string definition : {"openvino-tile-1", "onnx-tile-13", "onnx-tile-6"})
    for (const char* operands :
         {"u8[2] x i64[]{2}", "u8[2] x i64[1,1]{2}", "u8[2] x i64[0]{}", "u8[2] x i64{1,2}",
          "u8[2,2] x i64{2}", "u8[] x i64{2}", "u8[] x i64[]{2}", "u8[2,2] x i64[2,1]{2,2}"})
      literals.push_back(definition + " " + operands);
  for (const char* operands : {"f32[2] x f32{2} along f32[]{0}", "f32[2] x f32[0]{} along f32[]{0}",
                               "f32[2] x f32{2,2} along f32[]{0}", "f32[2] x f32[]{2} along f32{0,0}",
                               "f32[2] x f32[]{2} along f32[0]{}", "f32[] x f32[]{2} along f32[]{0}",
                               "f32[2] x f32[1,1]{2} along f32[1,1]{0}", "f32[] x i64[]{1} along i64[]{-1}"})
    literals.push_back(std::string("onnx-tile-1 ") + operands);
  int asked = 0;
  for (const std::string& literal : literals) {
    const auto question = parse_case(literal);
    if (!question) continue;  // nf4 has no 2, for instance
    ++asked;
    EXPECT_TRUE(agree(*question)) << literal;
  }
  EXPECT_GT(asked, 400);
}

TEST(Oracles, AgreeOnTheEdgesOfWhatCanBeCounted) {
  for (const char* literal : {
           "openvino-tile-1 u8[3] x i64{6148914691236517206}",
           "openvino-tile-1 c64[3] x i64{6148914691236517206}",
           "openvino-tile-1 c64[2] x f32{2}",
           "openvino-tile-1 c128[2] x i64[]{2}",
           "openvino-tile-1 u8[0,4611686018427387904] x i64{1,2}",
           "openvino-tile-1 u8[0,1] x u64{1,9223372036854775808}",
           "openvino-tile-1 u8[0] x u64{18446744073709551615}",
           "onnx-tile-13 string[0,9223372036854775807] x i64{1,1}",
           "onnx-tile-1 f64[0] x f64[]{1e300} along f64[]{0}",
           "onnx-tile-1 f64[1] x f64[]{1e300} along f64[]{0}",
           "onnx-tile-1 f32[1] x f32[]{2} along f32[]{1e30}",
           "onnx-tile-1 f64[0] x i64[]{1} along f64[]{-1e300}",
           // Axes that fit with a number of elements that does not, and the largest number that fits.
           "openvino-tile-1 f32[1,1] x i64{4294967296,4294967296}",
           "onnx-tile-13 u8[1,1,1] x i64{2097152,2097152,4194304}",
           "onnx-tile-13 f32[1,1] x i64{60247241209,153092023}",
           "onnx-tile-13 f32[1,1] x i64{60247241209,153092024}",
           "onnx-tile-13 f32[1,1,1] x i64{1,4294967296,4294967296}",
           "openvino-tile-1 u8[4294967296,4294967296,0] x i64{1}",
           "onnx-tile-13 u8[0,4294967296,4294967296] x i64{1,1,1}",
           // Infinities and NaNs, and numbers far below 1.
           "onnx-tile-1 f64[0] x f64[]{0x7ff0000000000000} along f64[]{0}",
           "onnx-tile-1 f64[0] x f64[]{0x7ff8000000000000} along f64[]{0}",
           "onnx-tile-1 f32[0] x f32[]{0x7f800000} along f32[]{0}",
           "onnx-tile-1 f16[0] x f16[]{0x7c00} along f16[]{0}",
           "onnx-tile-1 f64[2] x f64[]{2.938735877055719e-39} along f64[]{0}",
           "onnx-tile-1 f64[2] x f64[]{1} along f64[]{2.938735877055719e-39}",
           "onnx-tile-1 f64[2] x f64[]{0x0000000000000001} along f64[]{0}",
           "onnx-tile-1 f64[2] x f64[]{1.0000000000000002} along f64[]{0}",
           // The product of two large numbers.
           "onnx-tile-1 f64[4611686018427387904,0] x f64[]{1e300} along f64[]{0}",
           "onnx-tile-1 f64[0,4611686018427387904] x f64[]{4.951760157141521e27} along f64[]{1}",
           "onnx-tile-1 f32[9223372036854775807,0] x f32[]{9223372036854775808} along f32[]{0}",
           "onnx-tile-1 f32[1,0] x f32[]{9223371487098961920} along f32[]{0}",
           "onnx-tile-1 f32[1,0] x f32[]{9223372036854775808} along f32[]{0}",
       })
    EXPECT_TRUE(agree(*parse_case(literal))) << literal;
}

}  // namespace
}  // namespace certile::second
