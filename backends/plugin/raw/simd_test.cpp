// The kernel behind the C table, as a stranger would load it.
#include <gtest/gtest.h>

#include <string>

#include "backends/registry/registry.hpp"
#include "reference/values/call.hpp"
#include "reference/values/tensor_text.hpp"

namespace certile {
namespace {

// The output, or why there is none.
std::string answer(const std::string& literal) {
  const auto question = parse_case(literal);
  if (!question) return question.error().what;
  const CallTensors tensors = make_call(*question);
  const auto backend = open_backend(CERTILE_PLUGINS "/simd.so");
  if (!backend) return backend.error().what;
  const auto shape = (*backend)->infer(tensors.call());
  if (!shape) return shape.error().what;
  Tensor out = Tensor::for_output_of(tensors.data, *shape);
  const auto run = (*backend)->run(tensors.call(), out.mutable_view());
  return run ? to_string(out) : run.error().what;
}

TEST(SimdPlugin, TilesThroughTheTable) {
  EXPECT_EQ(answer("onnx-tile-13 u8[2,2]{1,2,3,4} x i64{1,2}"), "u8[2,4]{1,2,1,2,3,4,3,4}");
}

TEST(SimdPlugin, RanksBeyondTheUsualAreTiledAsWell) {
  EXPECT_EQ(answer("openvino-tile-1 u8[1]{7} x i64{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2}"),
            "u8[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]{7,7}");
}

TEST(SimdPlugin, SaysWhyItRefuses) {
  EXPECT_EQ(answer("onnx-tile-13 u8[2] x i64{-1}"), "a repeat is negative");
}

}  // namespace
}  // namespace certile
