#include "conformance/judge/record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace certile::conformance {
namespace {

TEST(Plainness, PutsWhatAReaderGraspsFirst) {
  // Each is less plain than the one before it, for one more reason.
  const std::vector<std::string> in_order{
      "onnx-tile-13 u8[] x i64{}",
      "onnx-tile-13 f32[1] x i64{2}",
      "onnx-tile-13 f32[1] x i64{3}",               // the order of literals
      "onnx-tile-13 f32[1] x i64{2} @guard=after",  // a longer literal
      "onnx-tile-13 bf16[1] x i64{2}",              // a rare type
      "onnx-tile-13 u8[2] x i64{2}",                // more elements
      "onnx-tile-13 u8[1,1] x i64{2,2}",            // more axes
      "onnx-tile-13 u8[0] x i64{2}",                // no elements of the data
      "onnx-tile-13 u8[2] x i64{0}",                // none of the output
      "onnx-tile-13 u8[1] x i64{2} fill=bits:1",    // a fill
      "of another version",
  };
  std::vector<std::string> sorted(in_order.rbegin(), in_order.rend());
  std::ranges::sort(sorted, {}, [](const std::string& literal) { return plainness_of(literal); });
  EXPECT_EQ(sorted, in_order);
}

}  // namespace
}  // namespace certile::conformance
