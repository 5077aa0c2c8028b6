// Tests that calls of the usual kind get the plan that the rules for any call give.
#include "backends/shape/tile_plan.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "backends/plugin/status.hpp"
#include "backends/shape/shape_rules.hpp"

namespace certile::backends {
namespace {

std::string in_words(const TilePlan& plan) {
  if (plan.output_bits == 0) return "nothing";
  std::string text;
  for (int level = 0; level < plan.count(); ++level)
    text += std::to_string(plan.levels()[level].repeats) + "*" + std::to_string(plan.levels()[level].extent) +
            " ";
  return text + "run " + std::to_string(plan.run_bits);
}

// Returns what the rules for any call say of an output with that shape.
std::string planned_by_rules(const PluginCall& call, const certile_tensor& out) {
  TilePlan plan;
  const Ruling ruling = plan_any_call(call, out, plan);
  return ruling.status == CERTILE_OK ? in_words(plan) : ruling.why;
}

// Returns the plan of a usual call; "unusual" for any other.
std::string planned_call(const PluginCall& call, const certile_tensor& out) {
  TilePlan plan;
  return plan_usual_call(call, out, plan) ? in_words(plan) : "unusual";
}

// Calls `look(call, out)` for the case of that literal and an output of that shape.
template <class Look>
std::string of(const std::string& literal, const Shape& shape, Look look) {
  const Case question = *parse_case(literal);
  const PluginCall call(question, question.data);
  return look(call, c_tensor(TensorView{question.data.type(), shape, {}}));
}

TEST(UsualCall, HasARepeatOfI64ForEachAxis) {
  for (const char* definition : {"openvino-tile-1", "onnx-tile-6", "onnx-tile-13", "array-api-tile"})
    EXPECT_EQ(of(std::string(definition) + " f32[2,3,4] x i64{1,2,3}", {2, 6, 12}, planned_call),
              "1*2 2*3 3*1 run 128")
        << definition;
  EXPECT_EQ(of("onnx-tile-13 f32[] x i64{}", {}, planned_call), "run 32");
  EXPECT_EQ(of("openvino-tile-1 u1[3,1] x i64{1,5}", {3, 5}, planned_call), "1*3 5*1 run 1");
}

TEST(UsualCall, LeavesTheRestToTheOtherRules) {
  EXPECT_EQ(of("openvino-tile-1 f32[2,3] x i64{2}", {2, 6}, planned_call), "unusual");
  EXPECT_EQ(of("openvino-tile-1 f32[3] x i64{2,2}", {2, 6}, planned_call), "unusual");
  EXPECT_EQ(of("openvino-tile-1 f32[3] x i32{2}", {6}, planned_call), "unusual");
  EXPECT_EQ(of("openvino-tile-1 f32[3] x i64[1,1]{2}", {6}, planned_call), "unusual");
  EXPECT_EQ(of("onnx-tile-1 f32[3] x i64{2} along i64{0}", {6}, planned_call), "unusual");
  EXPECT_EQ(of("onnx-tile-13 i4[3] x i64{2}", {6}, planned_call), "unusual");
  EXPECT_EQ(of("onnx-tile-13 f32[3] x i64{-2}", {6}, planned_call), "unusual");
  EXPECT_EQ(of("onnx-tile-13 f32[3] x i64{0}", {0}, planned_call), "unusual");
  EXPECT_EQ(of("onnx-tile-13 f32[0] x i64{-1}", {0}, planned_call), "unusual");
  EXPECT_EQ(of("onnx-tile-13 f32[2] x i64{4611686018427387904}", {1}, planned_call), "unusual");
  EXPECT_EQ(of("onnx-tile-13 f32[1,1] x i64{4294967296,2147483648}", {4294967296, 2147483648}, planned_call),
            "unusual");
}

TEST(UsualCall, HasAnOutputOfTheRightShape) {
  EXPECT_EQ(of("onnx-tile-13 f32[2,3] x i64{2,1}", {4, 3}, planned_call), "2*1 run 192");
  EXPECT_EQ(of("onnx-tile-13 f32[2,3] x i64{2,1}", {4, 6}, planned_call), "unusual");
  EXPECT_EQ(of("onnx-tile-13 f32[2,3] x i64{2,1}", {12}, planned_call), "unusual");
  EXPECT_EQ(of("onnx-tile-13 f32[2,3] x i64{2,1}", {4, 6}, planned_by_rules),
            "the output given does not have the inferred shape");
  EXPECT_EQ(of("onnx-tile-13 f32[2,3] x i64{2,1}", {12}, planned_by_rules),
            "the output given does not have the inferred shape");
}

TEST(UsualCall, GetsThePlanThatTheOtherRulesGive) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 5000; ++round) {
    const std::size_t rank = random() % 9;
    std::string shape, repeats;
    Shape output;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const auto dimension = static_cast<std::int64_t>(random() % 2 == 0 ? 1 : random() % 5);
      const auto times = static_cast<std::int64_t>(random() % 2 == 0 ? 1 : random() % 4);
      shape += (axis > 0 ? "," : "") + std::to_string(dimension);
      repeats += (axis > 0 ? "," : "") + std::to_string(times);
      output.push_back(dimension * times);
    }
    const char* const type = random() % 2 == 0 ? "u1" : "f32";
    const std::string literal =
        std::string("openvino-tile-1 ") + type + "[" + shape + "] x i64{" + repeats + "}";
    const std::string usual = of(literal, output, planned_call), any = of(literal, output, planned_by_rules);
    const bool is_empty = element_count(output).value_or(1) == 0;
    ASSERT_EQ(usual, is_empty ? "unusual" : any) << literal;
    ASSERT_EQ(any == "nothing", is_empty) << literal;
  }
}

TEST(AnyCall, PlansPromotedAxesAndOtherTypes) {
  EXPECT_EQ(of("openvino-tile-1 f32[2,3] x i64{2}", {2, 6}, planned_by_rules), "1*2 2*1 run 96");
  EXPECT_EQ(of("openvino-tile-1 f32[3] x u8{5,2}", {5, 6}, planned_by_rules), "10*1 run 96");
  EXPECT_EQ(of("onnx-tile-1 f32[2,3] x f32[]{2} along f32[]{-1}", {2, 6}, planned_by_rules),
            "1*2 2*1 run 96");
}

TEST(AnyCall, HasRoomForAnyNumberOfAxesOfAnEmptyOutput) {
  std::string shape = "0", repeats = "1";
  Shape output{0};
  for (int axis = 1; axis < 200; ++axis) {
    shape = "2," + shape;
    repeats = "2," + repeats;
    output.insert(output.begin(), 4);
  }
  const std::string literal = "openvino-tile-1 u8[" + shape + "] x i64{" + repeats + "}";
  EXPECT_EQ(of(literal, output, planned_by_rules), "nothing");
}

}  // namespace
}  // namespace certile::backends
