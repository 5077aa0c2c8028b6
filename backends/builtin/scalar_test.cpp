// Tests the packed types, bit for bit, which only this backend moves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "backends/plugin/status.hpp"
#include "backends/registry/registry.hpp"
#include "reference/values/fill.hpp"

namespace certile::backends {
namespace {

// Returns the output's bytes, in hex, after a call with `before` in each of them.
std::string bytes_of(const std::string& literal, std::byte before = std::byte{0xFF}) {
  const auto question = parse_case(literal);
  if (!question) return question.error().what;
  const Tensor data = data_of(*question);
  const auto scalar = open_backend("scalar");
  if (!scalar) return scalar.error().what;
  const PluginCall call(*question, data);
  const Inferred inferred = scalar->infer(call);
  if (inferred.status != Status::ok) return inferred.message;
  Tensor out(data.type(), inferred.shape);
  std::fill(out.bytes().begin(), out.bytes().end(), before);
  if (const Ran ran = scalar->run(call, c_tensor(out.mutable_view())); ran.status != Status::ok)
    return ran.message;
  std::string hex;
  for (const std::byte byte : out.bytes()) {
    const auto digit = [](unsigned value) { return "0123456789abcdef"[value & 15]; };
    const unsigned value = std::to_integer<unsigned>(byte);
    hex += {digit(value >> 4), digit(value)};
  }
  return hex;
}

TEST(Scalar, LaysFourBitElementsLowHalfFirst) {
  EXPECT_EQ(bytes_of("openvino-tile-1 u4{1,2,3} x i64{2}"), "211332");
}

TEST(Scalar, PacksRowsWithoutPadding) {
  EXPECT_EQ(bytes_of("openvino-tile-1 u4[2,1]{1,2} x i64{1,3}"), "112122");
}

TEST(Scalar, FillsABitFromTheHighEnd) {
  EXPECT_EQ(bytes_of("openvino-tile-1 u1{1,0,0} x i64{3}"), "9200");
}

TEST(Scalar, LaysTwoBitElementsFromTheLowEnd) {
  EXPECT_EQ(bytes_of("openvino-tile-1 u2{1,2,3} x i64{2}"), "790e");
}

TEST(Scalar, LaysThreeAndSixBitElementsAsOneStream) {
  EXPECT_EQ(bytes_of("openvino-tile-1 u3{1,2,7} x i64{2}"), "d1a303");
  EXPECT_EQ(bytes_of("openvino-tile-1 u6{1,62} x i64{2}"), "811ff8");
}

TEST(Scalar, ClearsThePaddingOfTheLastByte) {
  EXPECT_EQ(bytes_of("openvino-tile-1 u4{15} x i64{3}", std::byte{0xFF}), "ff0f");
  EXPECT_EQ(bytes_of("openvino-tile-1 u1{0} x i64{9}", std::byte{0xFF}), "0000");
}

TEST(Scalar, KeepsSignallingNansAndNegativeZero) {
  EXPECT_EQ(bytes_of("openvino-tile-1 f32{0x7f800001,-0} x i64{2}"), "0100807f000000800100807f00000080");
}

TEST(Scalar, RepeatsMoreOftenThanItCopies) {
  EXPECT_EQ(bytes_of("openvino-tile-1 u8[2,1]{7,9} x i64{1,7}"), "0707070707070709090909090909");
}

}  // namespace
}  // namespace certile::backends
