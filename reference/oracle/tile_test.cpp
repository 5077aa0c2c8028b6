#include "reference/oracle/tile.hpp"
#include "reference/values/oracle_calls.hpp"

#include <gtest/gtest.h>

#include "reference/oracle/promote.hpp"
#include "reference/second/tile_by_copies.hpp"
#include "reference/values/case.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::oracle {
namespace {

// Returns the answer to a literal in its canonical spelling, or the id of the clause that refuses the case.
std::string answer(const std::string& literal) {
  const Case question = *parse_case(literal);
  const auto result = tile(question, data_of(question));
  return result ? to_string(*result) : result.error().clause;
}

// Returns the shape alone of that answer, or the id of the clause.
std::string shape(const std::string& literal) {
  const Case question = *parse_case(literal);
  const auto result = output_shape(question);
  return result ? shape_to_string(question.data.type(), *result) : result.error().clause;
}

TEST(Tile, RepeatsTheDataAlongEveryAxis) {
  EXPECT_EQ(answer("onnx-tile-13 f32[2,2]{1,2,3,4} x i64{1,2}"), "f32[2,4]{1,2,1,2,3,4,3,4}");
  EXPECT_EQ(answer("onnx-tile-6 u8{1,2} x i64{2}"), "u8{1,2,1,2}");
  EXPECT_EQ(answer("onnx-tile-1 f32[2,1]{1,2} x f32[]{2} along f32[]{0}"), "f32[4,1]{1,2,1,2}");
}

TEST(Tile, PromotesEitherSideForOpenVino) {
  EXPECT_EQ(answer("openvino-tile-1 u8{1,2} x i64{2,1}"), "u8[2,2]{1,2,1,2}");
  EXPECT_EQ(answer("openvino-tile-1 u8[1,2]{1,2} x i64{2}"), "u8[1,4]{1,2,1,2}");
  EXPECT_EQ(answer("openvino-tile-1 u8[]{7} x i64{}"), "u8[]{7}");
}

TEST(Tile, TilesPackedElementsDensely) {
  EXPECT_EQ(answer("openvino-tile-1 u3{1,2,7} x i64{3}"), "u3{1,2,7,1,2,7,1,2,7}");
  EXPECT_EQ(answer("openvino-tile-1 u1[2,1]{1,0} x i64{1,3}"), "u1[2,3]{1,1,1,0,0,0}");
}

TEST(Tile, MovesStringsWithTheirNulBytes) {
  EXPECT_EQ(answer(R"(onnx-tile-13 string{"a\u0000b",""} x i64{2})"),
            R"(string{"a\u0000b","","a\u0000b",""})");
}

TEST(ShapeRules, CiteTheClauseThatRefuses) {
  EXPECT_EQ(shape("openvino-tile-1 u8[1] x f32{1}"), "OV-T1-T2");
  EXPECT_EQ(shape("openvino-tile-1 u8[1] x i64[]{1}"), "OV-T1-X3");
  EXPECT_EQ(shape("onnx-tile-13 i4[1] x i64{1}"), "ONNX-T13-T1");
  EXPECT_EQ(shape("onnx-tile-6 bf16[1] x i64{1}"), "ONNX-T6-T1");
  EXPECT_EQ(shape("onnx-tile-13 u8[1] x i32{1}"), "ONNX-T13-T2");
  EXPECT_EQ(shape("onnx-tile-13 u8[1] x i64[1,1]{1}"), "ONNX-T13-I2");
  EXPECT_EQ(shape("onnx-tile-6 f32[3] x i64{2,2}"), "ONNX-T6-I3");
  EXPECT_EQ(shape("onnx-tile-13 f32[3] x i64{-1}"), "ONNX-T13-X3");
  EXPECT_EQ(shape("onnx-tile-1 u8[1] x i64[]{1} along i64[]{0}"), "ONNX-T1-T1");
  EXPECT_EQ(shape("onnx-tile-1 f32[1] x f64[]{1} along i64[]{0}"), "ONNX-T1-X2");
  EXPECT_EQ(shape("onnx-tile-1 f32[1] x i64{1,1} along i64[]{0}"), "ONNX-T1-X2");
  EXPECT_EQ(shape("onnx-tile-1 f32[1] x f32[]{1.5} along i64[]{0}"), "ONNX-T1-X4");
  EXPECT_EQ(shape("onnx-tile-1 f16[1] x f16[]{-1} along i64[]{0}"), "ONNX-T1-X4");
  EXPECT_EQ(shape("onnx-tile-1 f32[1] x i64[]{1} along i64[]{1}"), "ONNX-T1-X5");
  EXPECT_EQ(shape("onnx-tile-1 f32[] x i64[]{1} along i64[]{0}"), "ONNX-T1-X5");
}

TEST(ShapeRules, RefuseEveryProductThatDoesNotFit) {
  EXPECT_EQ(shape("openvino-tile-1 u8[65537] x i64{65536}"), "u8[4295032832]");
  EXPECT_EQ(shape("onnx-tile-13 u8[3] x i64{6148914691236517206}"), "ONNX-T13-X4");
  EXPECT_EQ(shape("onnx-tile-13 u8[4611686018427387904,1] x i64{1,2}"), "ONNX-T13-X6");
  EXPECT_EQ(shape("onnx-tile-13 u8[0] x i64{9223372036854775807}"), "u8[0]");
  EXPECT_EQ(shape("openvino-tile-1 u8[0,3] x u64{1,18446744073709551615}"), "OV-T1-X9");
  EXPECT_EQ(shape("openvino-tile-1 u8[0] x u64{18446744073709551615}"), "u8[0]");
  EXPECT_EQ(shape("onnx-tile-1 f64[2] x f64[]{9223372036854775808} along i64[]{0}"), "ONNX-T1-X6");
}

TEST(ShapeRules, TakeZeroAndNegativeRepeatsAsTheOperatorSays) {
  EXPECT_EQ(shape("openvino-tile-1 u8[2,3] x i64{2,0}"), "u8[4,0]");
  EXPECT_EQ(shape("openvino-tile-1 u8[3] x i8{-1}"), "u8[0]");
  EXPECT_EQ(shape("openvino-tile-1 u8[3] x i4{-8}"), "u8[0]");
  EXPECT_EQ(shape("onnx-tile-1 f32[2,3] x f32[]{-0} along i64{-1}"), "f32[2,0]");
}

// Returns the clause that leaves the call open, or "" if there is none.
std::string left_open(const std::string& literal) {
  const Ruling ruling = promote(*parse_case(literal));
  const auto* open = std::get_if<Open>(&ruling);
  return open == nullptr ? "" : std::string(text_of(open->clause));
}

TEST(ShapeRules, LeaveComplexDataOpenForOpenVinoAlone) {
  EXPECT_EQ(left_open("openvino-tile-1 c64[1] x i64{1}"), "OV-T1-T1");
  EXPECT_EQ(left_open("onnx-tile-13 c64[1] x i64{1}"), "");
}

TEST(ShapeRules, LeaveBooleanRepeatsOpenForOpenVinoAlone) {
  EXPECT_EQ(shape("openvino-tile-1 u8[2,3] x boolean{0,1}"), "u8[0,3]");
  EXPECT_EQ(left_open("openvino-tile-1 f32[1] x boolean{1}"), "OV-T1-T2");
  EXPECT_EQ(left_open("openvino-tile-1 boolean[1] x i64{1}"), "");
  EXPECT_EQ(left_open("onnx-tile-13 boolean[1] x i64{1}"), "");
  EXPECT_EQ(shape("onnx-tile-13 f32[1] x boolean{1}"), "ONNX-T13-T2");
}

TEST(ShapeRules, LeaveStringsThatAreNotUtf8OpenForOnnxAlone) {
  EXPECT_EQ(left_open("onnx-tile-13 string{\"a\",0xff} x i64{1}"), "ONNX-T13-U1");
  EXPECT_EQ(left_open("onnx-tile-6 string{0xc080} x i64{1}"), "ONNX-T6-U1");
  EXPECT_EQ(left_open("openvino-tile-1 string{0xff} x i64{1}"), "");
  EXPECT_EQ(left_open("onnx-tile-13 string{0xc3a9,\"\\u0000\"} x i64{1}"), "");
  EXPECT_EQ(left_open("onnx-tile-13 string[9] x i64{1} fill=special:4"), "");
  EXPECT_EQ(left_open("onnx-tile-13 u8{0xff} x i64{1}"), "");
}

// Checks that both oracles report that the output of this case is too large.
void expect_too_large(const std::string& literal) {
  const Case question = *parse_case(literal);
  const Tensor data = data_of(question);
  for (const auto& result : {tile(question, data), second::tile_by_copies(question, data)}) {
    ASSERT_FALSE(result) << literal;
    EXPECT_EQ(result.error().code, Error::Code::out_of_memory) << literal;
    EXPECT_EQ(result.error().what, "the output is too large for this machine's memory") << literal;
  }
  EXPECT_TRUE(second::shape_by_copies(question)) << literal;
}

TEST(Oracles, SayThatAnOutputOfMoreBytesThanCanBeCountedIsTooLarge) {
  expect_too_large("onnx-tile-13 c128[1] x i64{2305843009213693952}");
}

TEST(Oracles, SayThatAnOutputWhichNoMemoryHoldsIsTooLarge) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer ends the process if memory is refused";
#endif
  expect_too_large("onnx-tile-13 u8[1] x i64{4611686018427387904}");   // more than malloc accepts
  expect_too_large("onnx-tile-13 f32[1] x i64{2305843009213693952}");  // 2^63 bytes: more than max_size()
}

TEST(TileByCopies, IsCountedLikeTheOtherOracle) {
  const std::uint64_t before = oracle_calls.load();
  const Case question = *parse_case("onnx-tile-13 u8[2] x i64{2}");
  const Tensor data = data_of(question);
  ASSERT_TRUE(tile(question, data));
  ASSERT_TRUE(second::tile_by_copies(question, data));
  ASSERT_TRUE(second::shape_by_copies(question));
  EXPECT_EQ(oracle_calls.load(), before + 3);
}

}  // namespace
}  // namespace certile::oracle
