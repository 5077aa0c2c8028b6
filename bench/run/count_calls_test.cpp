#include "bench/run/count_calls.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace certile::bench {
namespace {

TEST(CountCommand, CallsWhatItIsGiven) {
  std::ostringstream out, error;
  EXPECT_EQ(count_command("scalar", "onnx-tile-13 f32[2,3,4] x i64{1,2,3}", 3, out, error), 0);
  EXPECT_EQ(count_command("memset", "onnx-tile-13 f32[2,3,4] x i64{1,2,3}", 3, out, error), 0);
  EXPECT_EQ(out.str(),
            "scalar 3 onnx-tile-13 f32[2,3,4] x i64{1,2,3}\nmemset 3 onnx-tile-13 f32[2,3,4] x i64{1,2,3}\n");
}

TEST(CountCommand, SaysWhatItCannotCount) {
  std::ostringstream out, error;
  EXPECT_EQ(count_command("nobody", "onnx-tile-13 f32[2] x i64{2}", 1, out, error), 2);
  EXPECT_EQ(count_command("scalar", "onnx-tile-13 f32[2]", 1, out, error), 2);
  EXPECT_EQ(count_command("scalar", "onnx-tile-13 f32[2] x i64{-1}", 1, out, error), 2);
}

}  // namespace
}  // namespace certile::bench
