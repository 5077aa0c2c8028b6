#include "conformance/run/plainer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace certile::conformance {
namespace {

// Returns the case after all steps, each taken if it applies.
std::string plainest(const std::string& literal) {
  Case question = *parse_case(literal);
  for (const Plainer step : plainer_steps())
    if (const auto plainer = step(question)) question = *plainer;
  return to_string(question);
}

TEST(Plainer, TakesAwayWhatMakesACallSpecial) {
  EXPECT_EQ(plainest("openvino-tile-1 u4[0] x i8{-1,0}"), "openvino-tile-1 f32[1,2] x i64{2,2}");
  EXPECT_EQ(plainest("openvino-tile-1 f32[2,3] x i64{}"), "openvino-tile-1 f32[2,3] x i64{1,1}");
  EXPECT_EQ(plainest("onnx-tile-1 f16[0,3] x i64{0} along i64{-1}"),
            "onnx-tile-1 f32[2,3] x f32[]{2} along f32[]{1}");
}

TEST(Plainer, LeavesAPlainCallAsItIs) {
  for (const char* literal :
       {"openvino-tile-1 f32[2,3] x i64{2,2}", "onnx-tile-13 f32[2] x i64{3}", "onnx-tile-6 f32[] x i64{}",
        "onnx-tile-1 f32[2] x f32[]{3} along f32[]{0}", "openvino-tile-1 f32[3] x u64{9223372036854775808}"})
    EXPECT_EQ(plainest(literal), literal);
}

TEST(Plainer, MakesNoShapeThatIsTooLargeToCount) {
  const std::string literal = "onnx-tile-13 f32[9223372036854775807,0] x i64{2,1} @infer";
  EXPECT_EQ(plainest(literal), literal);
}

TEST(Plainer, KeepsThePlacementAndAsksForNothingLarge) {
  EXPECT_EQ(plainest("onnx-tile-13 f32[0,3] x i64{2,1} @guard=after"),
            "onnx-tile-13 f32[2,3] x i64{2,1} @guard=after");
  EXPECT_EQ(plainest("onnx-tile-13 f32[0,300000] x i64{2,1}"), "onnx-tile-13 f32[0,300000] x i64{2,1}");
}

}  // namespace
}  // namespace certile::conformance
