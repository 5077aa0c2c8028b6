#include "backends/shape/shape_rules.hpp"

#include <gtest/gtest.h>

#include <string>

#include "backends/plugin/status.hpp"

namespace certile::backends {
namespace {

// Returns "[4,6]", or "rejected", for the case of that literal, without making elements of the data.
std::string shape_of(const std::string& literal) {
  const auto question = parse_case(literal);
  if (!question) return question.error().what;
  std::int64_t sizes[64];
  std::int32_t rank = -1;
  const Ruling ruling = infer_shape(PluginCall(*question, question->data), sizes, 64, rank);
  if (ruling.status == CERTILE_REJECTED) return "rejected";
  if (ruling.status != CERTILE_OK) return "unsupported";
  std::string shape = "[";
  for (std::int32_t axis = 0; axis < rank; ++axis)
    shape += (axis > 0 ? "," : "") + std::to_string(sizes[axis]);
  return shape + "]";
}

const char* const most = "9223372036854775807";  // 2^63 - 1

TEST(ShapeRulesOfOpenvino, MultiplyEachDimensionByItsRepeat) {
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2,3,4] x i64{1,2,3}"), "[2,6,12]");
}

TEST(ShapeRulesOfOpenvino, PromoteTheData) {
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2,3] x i64{5,2,2}"), "[5,4,6]");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[] x i64{2}"), "[2]");
}

TEST(ShapeRulesOfOpenvino, PromoteTheRepeats) {
  EXPECT_EQ(shape_of("openvino-tile-1 f32[4,2,3] x i64{2,2}"), "[4,4,6]");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[4,2] x i64{}"), "[4,2]");
}

TEST(ShapeRulesOfOpenvino, LeaveRankZeroAlone) {
  EXPECT_EQ(shape_of("openvino-tile-1 f32[] x i64{}"), "[]");
}

TEST(ShapeRulesOfOpenvino, CountANegativeRepeatAsZero) {
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2,3] x i64{2,-1}"), "[4,0]");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2] x i64{-9223372036854775808}"), "[0]");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2,3] x i8{2,-128}"), "[4,0]");
}

TEST(ShapeRulesOfOpenvino, KeepTheOtherDimensionsBesideAZero) {
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2,3] x i64{2,0}"), "[4,0]");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[0,3] x i64{2,2}"), "[0,6]");
}

TEST(ShapeRulesOfOpenvino, RefuseRepeatsThatAreNoVector) {
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2] x i64[]{2}"), "rejected");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2] x i64[1,1]{2}"), "rejected");
}

TEST(ShapeRulesOfOpenvino, RefuseRepeatsThatAreNoIntegers) {
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2] x f32{2}"), "rejected");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2] x boolean{1}"), "rejected");
}

TEST(ShapeRulesOfOpenvino, ReadRepeatsOfEveryIntegerType) {
  for (const char* type : {"i8", "i16", "i32", "i64", "u3", "u4", "u6", "u8", "u16", "u32", "u64"})
    EXPECT_EQ(shape_of(std::string("openvino-tile-1 f32[2,3,1] x ") + type + "{1,3,5}"), "[2,9,5]") << type;
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2,3,1] x i4{7,-8,5}"), "[14,0,5]");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2,3,1] x u2{3,1,2}"), "[6,3,2]");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2,3,5,7] x u1{1,0,1,1}"), "[2,0,5,7]");
}

TEST(ShapeRulesOfOpenvino, NeverTakeAnUnsignedRepeatForANegativeOne) {
  EXPECT_EQ(shape_of("openvino-tile-1 f32[1] x u64{9223372036854775808}"), "rejected");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[1] x u64{18446744073709551615}"), "rejected");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[0] x u64{18446744073709551615}"), "[0]");
  EXPECT_EQ(shape_of("openvino-tile-1 f32[2] x u8{255}"), "[510]");
}

TEST(ShapeRulesOfOpenvino, RefuseADimensionBeyondTheLimitEvenBesideAZero) {
  EXPECT_EQ(shape_of("openvino-tile-1 u8[2] x i64{4611686018427387904}"), "rejected");
  EXPECT_EQ(shape_of("openvino-tile-1 u8[2,0] x i64{4611686018427387904,1}"), "rejected");
  EXPECT_EQ(shape_of("openvino-tile-1 u8[3] x i64{6148914691236517206}"), "rejected");
  EXPECT_EQ(shape_of(std::string("openvino-tile-1 u8[1] x i64{") + most + "}"),
            std::string("[") + most + "]");
}

TEST(ShapeRulesOfOpenvino, RefuseACountBeyondTheLimitUnlessItIsZero) {
  EXPECT_EQ(shape_of("openvino-tile-1 u8[1,1] x i64{4294967296,2147483648}"), "rejected");
  EXPECT_EQ(shape_of("openvino-tile-1 u8[1,1] x i64{4294967296,2147483647}"), "[4294967296,2147483647]");
  EXPECT_EQ(shape_of("openvino-tile-1 u8[1,1,0] x i64{4294967296,2147483648,1}"),
            "[4294967296,2147483648,0]");
}

TEST(ShapeRulesOfOpenvino, TakeEveryDataType) {
  for (const ElementType type : all_element_types())
    EXPECT_EQ(shape_of("openvino-tile-1 " + std::string(name(type)) + "[3] x i64{2}"), "[6]") << name(type);
}

TEST(ShapeRulesOfOnnx13, RefuseRepeatsOfAnotherLength) {
  EXPECT_EQ(shape_of("onnx-tile-13 f32[2,3] x i64{2}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-13 f32[2,3] x i64{2,2,2}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-13 f32[2] x i64{}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-13 f32[] x i64{}"), "[]");
}

TEST(ShapeRulesOfOnnx13, RefuseRepeatsThatAreNotAVectorOfI64) {
  EXPECT_EQ(shape_of("onnx-tile-13 f32[2] x i32{2}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-13 f32[2] x u64{2}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-13 f32[2] x i64[1,1]{2}"), "rejected");
}

TEST(ShapeRulesOfOnnx13, RefuseANegativeRepeatEvenOfAnEmptyDimension) {
  EXPECT_EQ(shape_of("onnx-tile-13 f32[2] x i64{-1}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-13 f32[0] x i64{-1}"), "rejected");
}

TEST(ShapeRulesOfOnnx13, RefuseOverflow) {
  EXPECT_EQ(shape_of("onnx-tile-13 f32[3] x i64{6148914691236517206}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-13 f32[2] x i64{4611686018427387903}"), "[9223372036854775806]");
}

TEST(ShapeRulesOfOnnx13, TakeSixteenTypes) {
  int accepted = 0;
  for (const ElementType type : all_element_types())
    accepted += shape_of("onnx-tile-13 " + std::string(name(type)) + "[3] x i64{2}") == "[6]";
  EXPECT_EQ(accepted, 16);
  EXPECT_EQ(shape_of("onnx-tile-13 i4[3] x i64{2}"), "rejected");
}

TEST(ShapeRulesOfOnnx6, TakeFifteenTypes) {
  int accepted = 0;
  for (const ElementType type : all_element_types())
    accepted += shape_of("onnx-tile-6 " + std::string(name(type)) + "[3] x i64{2}") == "[6]";
  EXPECT_EQ(accepted, 15);
  EXPECT_EQ(shape_of("onnx-tile-6 bf16[3] x i64{2}"), "rejected");
}

TEST(ShapeRulesOfOnnx1, MultiplyOneDimension) {
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2,3] x f32[]{2} along f32[]{1}"), "[2,6]");
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2,3] x i64{2} along i64[1,1]{0}"), "[4,3]");
  EXPECT_EQ(shape_of("onnx-tile-1 f16[2,3] x f16{2048} along f16{-0}"), "[4096,3]");
  EXPECT_EQ(shape_of("onnx-tile-1 f64[2,3] x f64{0} along i64{1}"), "[2,0]");
}

TEST(ShapeRulesOfOnnx1, CountANegativeAxisFromTheBack) {
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2,3] x i64{2} along i64{-1}"), "[2,6]");
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2,3] x i64{2} along i64{-2}"), "[4,3]");
}

TEST(ShapeRulesOfOnnx1, RefuseAnAxisThatTheDataLacks) {
  for (const char* axis : {"2", "-3", "9223372036854775807", "-9223372036854775808"})
    EXPECT_EQ(shape_of(std::string("onnx-tile-1 f32[2,3] x i64{2} along i64{") + axis + "}"), "rejected")
        << axis;
  EXPECT_EQ(shape_of("onnx-tile-1 f32[] x i64{2} along i64{0}"), "rejected");
}

TEST(ShapeRulesOfOnnx1, RefuseTilesAndAxesThatAreNotWhole) {
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2] x f32{1.5} along f32{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f16[2] x f16{0.5} along i64{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f16[2] x f16{0x0001} along i64{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2] x f32{0x7fc00000} along f32{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f16[2] x f16{0x7c00} along f16{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2] x f32{2} along f32{0.5}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f64[2] x f64{2} along f64{0x7ff0000000000000}"), "rejected");
}

TEST(ShapeRulesOfOnnx1, RefuseNegativeTilesAndOverflow) {
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2] x f32{-1} along f32{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f64[1] x f64{1e300} along f64{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f64[0] x f64{1e300} along f64{0}"), "[0]");
}

TEST(ShapeRulesOfOnnx1, RefuseOtherTypesAndMoreThanOneElement) {
  EXPECT_EQ(shape_of("onnx-tile-1 i32[2] x i64{2} along i64{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2] x i32{2} along i64{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2] x f64{2} along i64{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2] x i64{2,2} along i64{0}"), "rejected");
  EXPECT_EQ(shape_of("onnx-tile-1 f32[2] x i64{2} along i64{}"), "rejected");
}

}  // namespace
}  // namespace certile::backends
