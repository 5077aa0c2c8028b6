#include "reference/promote.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "reference/case.hpp"

namespace certile {
namespace {

Result<Promoted> promoted(const char* literal) {
  const auto question = parse_case(literal);
  EXPECT_TRUE(question) << literal;
  return promote(make_shape_call(*question).call());
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

}  // namespace
}  // namespace certile
