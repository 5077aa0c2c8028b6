#include "reference/values/fill.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/values/case.hpp"
#include "reference/values/definitions_test.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/tensor.hpp"

namespace certile {
namespace {

Tensor made(ElementType type, const Shape& shape, const Fill& fill = {}) {
  return make_filled(openvino_tile_1, type, shape, fill);
}

std::string filled(ElementType type, const Shape& shape, Fill fill = {}) {
  return to_string(made(type, shape, fill));
}

const DefinitionId onnx_operators[]{onnx_tile_1, onnx_tile_6, onnx_tile_13};

bool has_two_values_alone(ElementType type) {
  return type == ElementType::boolean || type == ElementType::u1;
}

// Returns the share of elements that equal the element `period` before them.
double share_of_repetitions(const std::vector<std::uint64_t>& elements, std::size_t period) {
  std::size_t repetitions = 0;
  for (std::size_t index = period; index < elements.size(); ++index)
    if (elements[index] == elements[index - period]) ++repetitions;
  return static_cast<double>(repetitions) / static_cast<double>(elements.size() - period);
}

TEST(IndexFill, CountsFromOneWhereTheTypeHoldsThat) {
  EXPECT_EQ(filled(ElementType::f32, {2, 2}), "f32[2,2]{1,2,3,4}");
  EXPECT_EQ(filled(ElementType::f64, {3}), "f64{1,2,3}");
  EXPECT_EQ(filled(ElementType::i32, {3}), "i32{1,2,3}");
  EXPECT_EQ(filled(ElementType::u32, {3}), "u32{1,2,3}");
  EXPECT_EQ(filled(ElementType::i64, {3}), "i64{1,2,3}");
  EXPECT_EQ(filled(ElementType::u64, {}), "u64[]{1}");
  EXPECT_EQ(filled(ElementType::c64, {2}), "c64{0xbf8000003f800000,0xc000000040000000}");
  EXPECT_EQ(filled(ElementType::c128, {1}), "c128{0xbff00000000000003ff0000000000000}");
}

TEST(IndexFill, IsTheSameBytesOnEveryMachine) {
  EXPECT_EQ(filled(ElementType::u8, {5}), "u8{77,153,229,50,126}");
  EXPECT_EQ(filled(ElementType::i8, {5}), "i8{77,-103,-27,50,126}");
  EXPECT_EQ(filled(ElementType::u16, {3}), "u16{48272,31008,13744}");
  EXPECT_EQ(filled(ElementType::f16, {3}), "f16{-2.283,-7.83e-5,5.695}");
  EXPECT_EQ(filled(ElementType::boolean, {9}), "boolean{1,0,0,1,1,1,0,0,1}");
  EXPECT_EQ(filled(ElementType::u1, {9}), "u1{1,0,0,1,1,1,0,0,1}");
}

TEST(IndexFill, NeverGivesAZeroANaNOrAnInfinity) {
  for (const ElementType type : all_element_types()) {
    if (has_two_values_alone(type) || type == ElementType::string) continue;
    const Tensor tensor = made(type, {70000}, {});
    for (std::int64_t index = 0; index < tensor.count(); ++index) {
      const std::string spelling = element_to_string(tensor, index);
      ASSERT_NE(tensor.element(index), Tensor::Bits{}) << name(type) << ' ' << index;
      ASSERT_NE(spelling, "0") << name(type) << ' ' << index;
      ASSERT_NE(spelling, "-0") << name(type) << ' ' << index;
      if (type == ElementType::nf4 || !is_real(type)) continue;
      ASSERT_FALSE(spelling.starts_with("0x")) << name(type) << ' ' << index;
    }
  }
}

TEST(IndexFill, RepeatsNoElementWhileTheTypeHasOthers) {
  for (const ElementType type : all_element_types()) {
    if (has_two_values_alone(type) || type == ElementType::string) continue;
    // f8 types have fewer patterns than 2^8 - 1, f4e2m1 than 2^4 - 1: signs, zeros and NaNs are excluded.
    const int width = bits(type);
    const std::int64_t distinct = width >= 16 ? 60000 : (std::int64_t{1} << width) - (is_real(type) ? 10 : 1);
    const Tensor tensor = made(type, {distinct}, {});
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (std::int64_t index = 0; index < distinct; ++index)
      seen.emplace(tensor.element(index).low, tensor.element(index).high);
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(distinct)) << name(type);
  }
}

TEST(IndexFill, HasNoPeriodThatRowsCouldHide) {
  for (const ElementType type : all_element_types()) {
    if (type == ElementType::string) continue;
    const Tensor tensor = made(type, {16384}, {});
    std::vector<std::uint64_t> elements;
    for (std::int64_t index = 0; index < tensor.count(); ++index)
      elements.push_back(tensor.element(index).low);
    const double patterns =
        has_two_values_alone(type) ? 2 : static_cast<double>(1U << std::min(bits(type), 8));
    const double most = 1.4 / patterns + 0.01;
    for (std::size_t period = 1; period <= 8192; period += period < 70 ? 1 : period / 2)
      EXPECT_LT(share_of_repetitions(elements, period), most) << name(type) << ' ' << period;
    for (std::size_t period = 128; period <= 8192; period *= 2)
      EXPECT_LT(share_of_repetitions(elements, period), most) << name(type) << ' ' << period;
  }
}

TEST(IndexFill, LeavesTheIntegersBehindWhereF32CannotCount) {
  const Tensor tensor = made(ElementType::f32, {(1 << 24) + 3}, {});
  EXPECT_EQ(element_to_string(tensor, (1 << 24) - 1), "16777216");
  for (std::int64_t index = 1 << 24; index < tensor.count(); ++index) {
    const std::string spelling = element_to_string(tensor, index);
    EXPECT_FALSE(spelling.starts_with("0x") || spelling == "16777216" || spelling == "0") << spelling;
  }
}

TEST(IndexFill, PadsStringsBeyondWhatLibrariesKeepInside) {
  const Tensor tensor = made(ElementType::string, {21}, {});
  for (std::int64_t index = 0; index < tensor.count(); ++index) {
    const std::string_view characters = tensor.string_element(index);
    EXPECT_TRUE(characters.starts_with(std::to_string(index + 1) + '.')) << characters;
    EXPECT_GT(characters.size(), 32U);
    EXPECT_EQ(characters.find('\0') != std::string_view::npos, index % 7 == 6) << characters;
  }
}

TEST(BitsFill, DependsOnTheSeedAndOnNothingElse) {
  for (const ElementType type : all_element_types()) {
    const Fill fill{Fill::Kind::bits, 42};
    EXPECT_EQ(made(type, {5, 13}, fill), made(type, {5, 13}, fill)) << name(type);
    EXPECT_FALSE(made(type, {5, 13}, fill) == made(type, {5, 13}, {Fill::Kind::bits, 43})) << name(type);
  }
  EXPECT_EQ(filled(ElementType::u8, {4}, {Fill::Kind::bits, 42}), "u8{4,74,70,16}");
}

TEST(BitsFill, KeepsBooleansTrueOrFalse) {
  const Tensor tensor = made(ElementType::boolean, {200}, {Fill::Kind::bits, 1});
  std::set<std::uint64_t> seen;
  for (std::int64_t index = 0; index < tensor.count(); ++index)
    seen.insert(tensor.element(index).low);
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1}));
}

TEST(BitsFill, MeetsEveryPatternOfNarrowTypes) {
  for (const ElementType type : all_element_types()) {
    if (bits(type) > 8 || type == ElementType::boolean) continue;
    const Tensor tensor = made(type, {20000}, {Fill::Kind::bits, 7});
    std::set<std::uint64_t> seen;
    for (std::int64_t index = 0; index < tensor.count(); ++index)
      seen.insert(tensor.element(index).low);
    EXPECT_EQ(seen.size(), std::size_t{1} << bits(type)) << name(type);
  }
}

TEST(BitsFill, MakesStringsOfManyLengths) {
  const Tensor tensor = made(ElementType::string, {1000}, {Fill::Kind::bits, 7});
  std::set<std::size_t> lengths;
  for (std::int64_t index = 0; index < tensor.count(); ++index)
    lengths.insert(tensor.string_element(index).size());
  EXPECT_EQ(lengths.size(), 41U);
}

TEST(SpecialFill, CyclesThroughWhatIsEasilySpoilt) {
  EXPECT_EQ(filled(ElementType::f32, {13}, {Fill::Kind::special, 0}),
            "f32{0x7fc00001,0x7f800001,0xffffffff,0xff800001,0x7f800000,0xff800000,-0,1e-45,-1.1754942e-38,"
            "1.1754944e-38,3.4028235e38,-3.4028235e38,0}");
  EXPECT_EQ(filled(ElementType::i4, {7}, {Fill::Kind::special, 0}), "i4{-8,7,-1,0,1,2,4}");
  EXPECT_EQ(filled(ElementType::f4e2m1, {6}, {Fill::Kind::special, 0}), "f4e2m1{-0,0.5,-0.5,6,-6,0}");
  EXPECT_EQ(filled(ElementType::string, {3}, {Fill::Kind::special, 0}),
            "string{\"\",\"\\u0000\",\"a\\u0000b\"}");
}

TEST(SpecialFill, StartsWhereTheSeedSays) {
  EXPECT_EQ(filled(ElementType::f32, {2}, {Fill::Kind::special, 4}), "f32{0x7f800000,0xff800000}");
  EXPECT_EQ(filled(ElementType::c64, {1}, {Fill::Kind::special, 5}), "c64{0x80000000ff800000}");
}

TEST(SpecialFill, BeginsEachCycleOneFurtherOn) {
  EXPECT_EQ(filled(ElementType::u2, {8}, {Fill::Kind::special, 0}), "u2{2,1,3,0,1,3,0,2}");
  EXPECT_EQ(filled(ElementType::u2, {4}, {Fill::Kind::special, ~std::uint64_t{0}}).size(), 11U);
}

TEST(ZeroFill, HasZeroBitsOrTheSignAlone) {
  EXPECT_EQ(filled(ElementType::f32, {2}, {Fill::Kind::zero, 0}), "f32{0,0}");
  EXPECT_EQ(filled(ElementType::f32, {2}, {Fill::Kind::zero, 1}), "f32{-0,-0}");
  EXPECT_EQ(filled(ElementType::f4e2m1, {3}, {Fill::Kind::zero, 1}), "f4e2m1{-0,-0,-0}");
  EXPECT_EQ(filled(ElementType::c64, {1}, {Fill::Kind::zero, 1}), "c64{0x8000000080000000}");
  EXPECT_EQ(filled(ElementType::c128, {1}, {Fill::Kind::zero, 1}),
            "c128{0x80000000000000008000000000000000}");
  EXPECT_EQ(filled(ElementType::i8, {2}, {Fill::Kind::zero, 1}), "i8{0,0}");
  EXPECT_EQ(filled(ElementType::string, {2}, {Fill::Kind::zero, 1}), "string{\"\",\"\"}");
}

TEST(LongFill, HasStringsAroundTheEndsOf12And16BitsAndBeyond20And24) {
  const Tensor strings = make_filled(onnx_tile_13, ElementType::string, {9}, {Fill::Kind::lengthy, 0});
  std::vector<std::size_t> sizes;
  for (std::int64_t index = 0; index < strings.count(); ++index)
    sizes.push_back(strings.string_element(index).size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{65'536, 4'096, 65'535, 70'001, 4'095, 300'007, 1'048'577,
                                             16'777'219, 65'536}));
  EXPECT_EQ(strings.string_element(0).substr(0, 28), "ahovcjqxelszgnubipwdkryfmtbi");
  EXPECT_NE(strings.string_element(0), strings.string_element(8));
  EXPECT_EQ(filled(ElementType::u8, {2}, {Fill::Kind::lengthy, 3}), filled(ElementType::u8, {2}, {}));
}

TEST(ShortFill, HasTheDecimalsFromTheSeedOn) {
  EXPECT_EQ(filled(ElementType::string, {3}, {Fill::Kind::brief, 9}), R"(string{"9","10","11"})");
  EXPECT_EQ(filled(ElementType::string, {2}, {Fill::Kind::brief, ~std::uint64_t{0}}),
            R"(string{"18446744073709551615","0"})");
  EXPECT_EQ(filled(ElementType::u8, {2}, {Fill::Kind::brief, 3}), filled(ElementType::u8, {2}, {}));
}

TEST(Fill, GivesOnnxNoStringThatIsNotUtf8) {
  for (const DefinitionId definition : onnx_operators)
    for (const Fill::Kind kind : {Fill::Kind::index, Fill::Kind::bits, Fill::Kind::special})
      for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{42}, ~std::uint64_t{0}}) {
        const Tensor tensor = make_filled(definition, ElementType::string, {2000}, {kind, seed});
        for (std::int64_t index = 0; index < tensor.count(); ++index)
          ASSERT_TRUE(is_utf8(tensor.string_element(index))) << element_to_string(tensor, index);
      }
}

TEST(Fill, GivesOpenVinoStringsThatAreNotUtf8) {
  for (const Fill::Kind kind : {Fill::Kind::bits, Fill::Kind::special}) {
    const Tensor tensor = made(ElementType::string, {50}, {kind, 1});
    int others = 0;
    for (std::int64_t index = 0; index < tensor.count(); ++index)
      others += is_utf8(tensor.string_element(index)) ? 0 : 1;
    EXPECT_GT(others, 5);
  }
}

TEST(Fill, DependsOnTheOperatorForStringsAlone) {
  for (const ElementType type : all_element_types())
    for (const Fill::Kind kind : {Fill::Kind::index, Fill::Kind::bits, Fill::Kind::special}) {
      const Fill fill{kind, 7};
      const bool same = type != ElementType::string || kind == Fill::Kind::index;
      for (const DefinitionId definition : onnx_operators)
        EXPECT_EQ(make_filled(definition, type, {7, 11}, fill) == made(type, {7, 11}, fill), same)
            << name(type);
    }
}

TEST(BitsFill, MakesUtf8OfEveryLengthFromCharactersOfEverySize) {
  const Tensor tensor = make_filled(onnx_tile_13, ElementType::string, {3000}, {Fill::Kind::bits, 7});
  std::set<std::size_t> lengths;
  std::string all;
  for (std::int64_t index = 0; index < tensor.count(); ++index) {
    lengths.insert(tensor.string_element(index).size());
    all += tensor.string_element(index);
  }
  EXPECT_EQ(lengths.size(), 41U);
  EXPECT_NE(all.find('\0'), std::string::npos);
  // One character of each size has at least a tenth of all characters, and each first byte of UTF-8 occurs.
  std::set<unsigned char> first_bytes;
  std::array<int, 5> sizes{};
  for (const char character : all) {
    const auto byte = static_cast<unsigned char>(character);
    if ((byte & 0xc0U) == 0x80U) continue;
    first_bytes.insert(byte);
    ++sizes[byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4];
  }
  EXPECT_EQ(first_bytes.size(), 0x80U + 30 + 16 + 5);
  for (const int size : {1, 2, 3, 4})
    EXPECT_GT(sizes[static_cast<std::size_t>(size)], (sizes[1] + sizes[2] + sizes[3] + sizes[4]) / 10)
        << size;
}

TEST(SpecialFill, GivesOnnxTheOutermostCharactersInPlaceOfInvalidOnes) {
  const Fill fill{Fill::Kind::special, 0};
  const Tensor onnx = make_filled(onnx_tile_13, ElementType::string, {19}, fill);
  const Tensor openvino = made(ElementType::string, {19}, fill);
  for (std::int64_t index = 0; index < onnx.count(); ++index) {
    const bool same = onnx.string_element(index) == openvino.string_element(index);
    EXPECT_EQ(same, index < 4 || index > 7) << index;
  }
  EXPECT_EQ(element_to_string(onnx, 4), "\"\\u0080\\u07ff\"");
  EXPECT_EQ(element_to_string(onnx, 5), "\"\\u0800\\ud7ff\\ue000\"");
  EXPECT_EQ(element_to_string(onnx, 6), "\"\\ufeff\\uffff\\udbff\\udfff\"");
  EXPECT_EQ(element_to_string(onnx, 7), "\"e\\u0301\"");
  EXPECT_EQ(element_to_string(openvino, 6), "0xeda080");
}

TEST(Fill, MakesEmptyAndScalarTensors) {
  for (const ElementType type : all_element_types()) {
    for (const auto kind : {Fill::Kind::index, Fill::Kind::bits, Fill::Kind::special}) {
      EXPECT_EQ(made(type, {0, 3}, {kind, 0}).count(), 0) << name(type);
      EXPECT_EQ(made(type, {}, {kind, 0}).count(), 1) << name(type);
    }
  }
}

TEST(DataOf, CopiesWhatIsSpelledOutAndFillsTheRest) {
  EXPECT_EQ(to_string(data_of(*parse_case("openvino-tile-1 u8{7,9} x i64{2}"))), "u8{7,9}");
  EXPECT_EQ(to_string(data_of(*parse_case("openvino-tile-1 i32[2] x i64{2}"))), "i32{1,2}");
  EXPECT_EQ(to_string(data_of(*parse_case("openvino-tile-1 u8{7,9} x i64{2} @infer"))), "u8[2]");
}

TEST(DataOf, GivesEachConcurrentCallItsOwnSeed) {
  const Case question = *parse_case("openvino-tile-1 i32[4] x i64{2} fill=bits:5 @threads=2");
  EXPECT_EQ(data_of(question), made(ElementType::i32, {4}, {Fill::Kind::bits, 5}));
  EXPECT_EQ(data_of(question, 1), made(ElementType::i32, {4}, {Fill::Kind::bits, 6}));
  const Case counted = *parse_case("openvino-tile-1 i32[4] x i64{2} @threads=2");
  EXPECT_EQ(data_of(counted, 1), made(ElementType::i32, {4}, {Fill::Kind::bits, 1}));
}

}  // namespace
}  // namespace certile
