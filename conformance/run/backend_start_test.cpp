#include "conformance/run/backend_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace certile::conformance {
namespace {

// Shards with other limits are not merged, because their headers differ in these words.
TEST(IsolationLayers, SayEveryLimitOfACall) {
  IsolateOptions options;
  options.memory_limit = std::size_t{4096} << 20;
  for (const char* spelling : {"scalar", "worker:mine"}) {
    options.spelling = spelling;
    options.time_limit = 2'500;
    const auto layers = isolation_layers(options);
    EXPECT_EQ(std::ranges::count(layers, "memory limited to 4096 MiB"), 1) << spelling;
    EXPECT_EQ(std::ranges::count(layers, "a call limited to 2.5 s"), 1) << spelling;
  }
}

}  // namespace
}  // namespace certile::conformance
