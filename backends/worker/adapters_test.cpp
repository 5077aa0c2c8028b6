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

TEST(Adapters, AreScriptsWithTheWordsOfTheirTable) {
  EXPECT_EQ(adapter_script("numpy"), "numpy_worker.py");
  EXPECT_EQ(adapter_script("onnx-inference"), "onnx_worker.py inference");
  EXPECT_EQ(adapter_script("scalar"), "");
}

}  // namespace
}  // namespace certile::backends
