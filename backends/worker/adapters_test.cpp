#include "backends/worker/adapters.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace certile::backends {
namespace {

TEST(Adapters, AreNamedAsInTheirTable) {
  const auto names = adapter_names();
  for (const std::string_view name : {"numpy", "openvino", "onnxruntime", "onnx", "pytorch", "jax"})
    EXPECT_EQ(std::ranges::count(names, name), 1) << name;
}

TEST(Adapters, HaveNamesThatNoCommentOrEnvironmentLendsThem) {
  for (const std::string_view name : adapter_names())
    EXPECT_TRUE(!name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == name.npos)
        << name;
}

TEST(Adapters, HaveTheWordsOfTheirTable) {
  const auto numpy = find_adapter("numpy"), inference = find_adapter("onnx-inference");
  ASSERT_TRUE(numpy && inference);
  EXPECT_EQ(numpy->script, "numpy_worker.py");
  EXPECT_EQ(inference->script, "onnx_worker.py inference");
  EXPECT_EQ(inference->environment, "onnx");
  EXPECT_EQ(find_adapter("pytorch-repeat")->module, "torch");
  EXPECT_FALSE(find_adapter("scalar"));
}

TEST(Adapters, EachHaveAnEnvironmentAndAModule) {
  for (const std::string_view name : adapter_names())
    EXPECT_FALSE(find_adapter(name)->module.empty()) << name;
}

}  // namespace
}  // namespace certile::backends
