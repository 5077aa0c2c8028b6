#include "bench/run/suite.hpp"

#include <gtest/gtest.h>

#include "reference/values/case.hpp"

namespace certile::bench {
namespace {

std::string regime(std::string_view literal) {
  const auto question = parse_case(literal);
  return std::string(regime_of(question->data.type(), *oracle::settled_tiling(*question)));
}

std::uint64_t innermost(std::string_view literal) {
  const auto question = parse_case(literal);
  return innermost_bytes(question->data.type(), *oracle::settled_tiling(*question));
}

TEST(InnermostBytes, AreTheRepeatedAxisAndAllInsideIt) {
  EXPECT_EQ(innermost("onnx-tile-13 f32[2,3,4] x i64{5,6,1}"), 48u);
}

TEST(InnermostBytes, OfARepeatedInnermostAxisAreItsLength) {
  EXPECT_EQ(innermost("onnx-tile-13 u8[4096,3] x i64{1,64}"), 3u);
}

TEST(InnermostBytes, AreTheWholeDataWhereNothingIsRepeated) {
  EXPECT_EQ(innermost("onnx-tile-13 f64[10,10] x i64{1,1}"), 800u);
}

TEST(InnermostBytes, PassOverAxesOfLengthOneThatNothingRepeats) {
  EXPECT_EQ(innermost("onnx-tile-13 f32[7,5,1] x i64{1,2,1}"), 20u);
}

TEST(InnermostBytes, OfPackedElementsAreWholeBytes) {
  EXPECT_EQ(innermost("openvino-tile-1 i4[3,5] x i64{1,2}"), 2u);
  EXPECT_EQ(innermost("openvino-tile-1 u1[3,1] x i64{1,2}"), 0u);
}

TEST(InnermostBytes, CountThePromotedData) {
  EXPECT_EQ(innermost("openvino-tile-1 f32[6,14] x i64{100,1,2}"), 56u);
}

TEST(Regime, IsTinyUpToAPage) {
  EXPECT_EQ(regime("onnx-tile-13 u8[2,1] x i64{1,2048}"), "tiny");
  EXPECT_EQ(regime("onnx-tile-13 u8[2,1] x i64{1,2049}"), "fill");
}

TEST(Regime, IsNoneWhereNothingIsRepeatedHoweverSmall) {
  EXPECT_EQ(regime("onnx-tile-13 u8[2] x i64{1}"), "none");
}

TEST(Regime, OfShortRowsEndsAtACacheLine) {
  EXPECT_EQ(regime("onnx-tile-13 u8[100,64] x i64{1,10}"), "short");
  EXPECT_EQ(regime("onnx-tile-13 u8[100,65] x i64{1,10}"), "rows");
}

TEST(Regime, TwoRepetitionsWithNothingBetweenAreOne) {
  EXPECT_EQ(regime("onnx-tile-13 f32[1,1000] x i64{10,10}"), "whole");
  EXPECT_EQ(regime("onnx-tile-13 f32[2,1000] x i64{10,10}"), "mixed");
}

TEST(Regime, AnAxisBetweenTwoRepetitionsKeepsThemApart) {
  EXPECT_EQ(regime("onnx-tile-13 f32[1,3,100] x i64{10,1,10}"), "mixed");
}

TEST(Regime, OfSingleElementsIsFillWhateverElseIsRepeated) {
  EXPECT_EQ(regime("onnx-tile-13 f32[64,1,64,1] x i64{1,32,1,32}"), "fill");
}

}  // namespace
}  // namespace certile::bench
