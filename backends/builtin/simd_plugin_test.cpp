// Tests the kernel as a plugin, loaded as by any other program.
#include <gtest/gtest.h>

#include <string>

#include "backends/plugin/status.hpp"
#include "backends/registry/registry.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {
namespace {

// Returns the output, or the error.
std::string answer(const std::string& literal) {
  const auto question = parse_case(literal);
  if (!question) return question.error().what;
  const Tensor data = data_of(*question);
  const auto backend = open_backend(CERTILE_PLUGINS "/simd.so");
  if (!backend) return backend.error().what;
  const PluginCall call(*question, data);
  const Inferred inferred = backend->infer(call);
  if (inferred.status != Status::ok) return inferred.message;
  Tensor out = Tensor::for_output_of(data, inferred.shape);
  const Ran ran = backend->run(call, c_tensor(out.mutable_view()));
  return ran.status == Status::ok ? to_string(out) : ran.message;
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
}  // namespace certile::backends
