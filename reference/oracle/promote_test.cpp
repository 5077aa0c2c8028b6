#include "reference/oracle/promote.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>

#include "reference/values/case.hpp"

namespace certile::oracle {
namespace {

Ruling ruling_of(const char* literal) {
  const auto question = parse_case(literal);
  EXPECT_TRUE(question) << literal;
  return promote(*question);
}

std::optional<Promoted> promoted(const char* literal) {
  const Ruling ruling = ruling_of(literal);
  if (const Promoted* made = promoted(ruling)) return *made;
  return std::nullopt;
}

using Numbers = std::vector<std::int64_t>;

TEST(Promote, GivesTheShorterSideItsOnesAndCountsTheOutput) {
  const auto longer = promoted("openvino-tile-1 f32[2,3] x i64{4,1,5}");
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->data, (Numbers{1, 2, 3}));
  EXPECT_EQ(longer->repeats, (Numbers{4, 1, 5}));
  EXPECT_EQ(longer->output, (Numbers{4, 2, 15}));
  const auto shorter = promoted("openvino-tile-1 f32[2,3] x i64{4}");
  ASSERT_TRUE(shorter);
  EXPECT_EQ(shorter->repeats, (Numbers{1, 4}));
}

TEST(Promote, TakesANegativeRepeatForNone) {
  const auto tiling = promoted("openvino-tile-1 f32[2,3] x i64{-7,2}");
  ASSERT_TRUE(tiling);
  EXPECT_EQ(tiling->repeats, (Numbers{0, 2}));
  EXPECT_EQ(tiling->output, (Numbers{0, 6}));
}

TEST(Promote, HoldsARepeatBeyondItsTypeToTheLargest) {
  const auto tiling = promoted("openvino-tile-1 f32[0] x u64{18446744073709551615}");
  ASSERT_TRUE(tiling);
  EXPECT_EQ(tiling->repeats, (Numbers{std::numeric_limits<std::int64_t>::max()}));
  EXPECT_EQ(tiling->output, (Numbers{0}));
}

TEST(Promote, PutsTheTilesOfTileOneOnItsAxis) {
  const auto tiling = promoted("onnx-tile-1 f32[2,3] x i64[]{4} along i64[]{0}");
  ASSERT_TRUE(tiling);
  EXPECT_EQ(tiling->data, (Numbers{2, 3}));
  EXPECT_EQ(tiling->repeats, (Numbers{4, 1}));
}

struct RefusedCall {
  const char* name;
  const char* literal;
  const char* clause;
  const char* words;
};
void PrintTo(const RefusedCall& each, std::ostream* out) {
  *out << each.name;
}

class Refused : public testing::TestWithParam<RefusedCall> {};

TEST_P(Refused, SaysTheClauseAndWhatIsWrong) {
  const Ruling ruling = ruling_of(GetParam().literal);
  const auto* refusal = std::get_if<Refusal>(&ruling);
  ASSERT_NE(refusal, nullptr) << GetParam().literal;
  EXPECT_EQ(text_of(refusal->clause), GetParam().clause);
  EXPECT_EQ(refusal->why, GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(
    Promote, Refused,
    testing::Values(RefusedCall{"type_of_repeats", "openvino-tile-1 f32[3] x f32{2}", "OV-T1-T2",
                                "repeats are f32, which the definition does not have"},
                    RefusedCall{"rank_of_repeats", "openvino-tile-1 f32[3] x i64[1,1]{2}", "OV-T1-X3",
                                "repeats have rank 2, not 1"},
                    RefusedCall{"one_dimension", "openvino-tile-1 f32[2,3] x i64{1,6148914691236517206}",
                                "OV-T1-X9", "output dimension 1 exceeds 2^63 - 1"},
                    RefusedCall{"all_elements", "openvino-tile-1 u8[2,2] x i64{4294967296,4294967296}",
                                "OV-T1-X12", "the output has more than 2^63 - 1 elements"},
                    RefusedCall{"type_of_data", "onnx-tile-13 u4[3] x i64{2}", "ONNX-T13-T1",
                                "the data are u4, which the definition does not have"},
                    RefusedCall{"type_of_onnx_repeats", "onnx-tile-13 f32[3] x i32{2}", "ONNX-T13-T2",
                                "repeats are i32, which the definition does not have"},
                    RefusedCall{"length_of_repeats", "onnx-tile-13 f32[2,3] x i64{1,2,3}", "ONNX-T13-I3",
                                "3 repeats for 2 dimensions"},
                    RefusedCall{"negative_repeat", "onnx-tile-13 f32[2,3] x i64{1,-2}", "ONNX-T13-X3",
                                "repeat -2 is negative"},
                    RefusedCall{"axis", "onnx-tile-1 f32[2,3] x i64[]{4} along i64[]{2}", "ONNX-T1-X5",
                                "the data has no such axis"},
                    RefusedCall{"negative_tiles", "onnx-tile-1 f32[2,3] x i64[]{-1} along i64[]{0}",
                                "ONNX-T1-X4", "repeat -1 is negative"}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace certile::oracle
