// Tests the division of an output among threads; backends_agree_test.cpp tests that the backend tiles at all.
#ifdef _OPENMP  // otherwise the backend is not built
#include <gtest/gtest.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "backends/plugin/status.hpp"
#include "backends/registry/registry.hpp"
#include "reference/values/fill.hpp"

namespace certile::backends {
namespace {

std::optional<Plugin> with_threads(int threads) {
  const int before = omp_get_max_threads();
  setenv("CERTILE_THREADS_FROM", "1", 1);
  omp_set_num_threads(threads);
  auto backend = open_backend("openmp");
  omp_set_num_threads(before);
  if (!backend) return std::nullopt;
  return *std::move(backend);
}

constexpr std::size_t bytes_behind = 8192;
constexpr std::byte canary{0xA5};

// Returns the output with the canaries around it.
std::vector<std::byte> filled(const Plugin& backend, const Case& question, const Tensor& data,
                              std::size_t misalignment) {
  const PluginCall call(question, data);
  const Inferred inferred = backend.infer(call);
  if (inferred.status != Status::ok) return {};
  const Shape& shape = inferred.shape;
  const std::size_t size = byte_size(data.type(), element_count(shape).value_or(0)).value_or(0);
  std::vector<std::byte> all(size + 2 * bytes_behind, canary);
  const auto to = std::span(all).subspan(bytes_behind - misalignment, size);
  std::fill(to.begin(), to.end(), std::byte{0x5A});  // an unwritten byte differs from the other backend's
  const Ran ran = backend.run(call, c_tensor(MutableTensorView{data.type(), shape, to}));
  if (ran.status != Status::ok) return {};
  return all;
}

class Openmp : public testing::Test {
 protected:
  void SetUp() override {
    const auto opened = open_backend("scalar");
    ASSERT_TRUE(opened);
    if (!with_threads(1)) GTEST_SKIP() << "openmp is not supported by this CPU";
  }

  // Expects the scalar backend's bytes with 1, 2, 3 and 7 threads, and no other writes.
  static void expect_right(const std::string& literal) {
    const auto question = parse_case(literal);
    ASSERT_TRUE(question) << literal;
    const Tensor data = data_of(*question);
    const auto scalar = open_backend("scalar");
    ASSERT_TRUE(scalar);
    for (const std::size_t misalignment : {0U, 1U, 4095U}) {
      const auto wanted = filled(*scalar, *question, data, misalignment);
      ASSERT_GT(wanted.size(), 2 * bytes_behind + 256 * 1024) << literal << " is one chunk";
      for (const int threads : {1, 2, 3, 7})
        ASSERT_TRUE(filled(*with_threads(threads), *question, data, misalignment) == wanted)
            << literal << " with " << threads << " threads, " << misalignment << " bytes off";
    }
  }
};

TEST_F(Openmp, SaysHowManyThreadsItMayUse) {
  EXPECT_EQ(with_threads(1)->claim().version, "1, 1 thread");
  EXPECT_EQ(with_threads(3)->claim().version, "1, 3 threads");
}

TEST_F(Openmp, WritesEveryByteOfOddSizesOnceAndNoOther) {
  expect_right("openvino-tile-1 u8[1] x i64{262145}");
  expect_right("openvino-tile-1 u8[7,3] x i64{1,13001}");
  expect_right("openvino-tile-1 f32[17,5,3] x i64{3,7,67}");
  expect_right("openvino-tile-1 u8[65537] x i64{5}");
  expect_right("openvino-tile-1 i64[1,16,1] x i64{3,1,1025}");
  expect_right("openvino-tile-1 c128[1,3,1,5] x i64{4,1,149,3}");
  expect_right("openvino-tile-1 u8[300001] x i64{1}");
}

TEST_F(Openmp, WritesEveryBitOfPackedElementsOnceAndNoOther) {
  for (const std::string type : {"u1", "u2", "u3", "u4", "u6"}) {
    expect_right("openvino-tile-1 " + type + "[13] x i64{200001}");
    expect_right("openvino-tile-1 " + type + "[131101,1] x i64{1,17}");
    expect_right("openvino-tile-1 " + type + "[11,3,5] x i64{1201,2,7}");
    expect_right("openvino-tile-1 " + type + "[150001] x i64{15}");
    expect_right("openvino-tile-1 " + type + "[64] x i64{32771}");
    expect_right("openvino-tile-1 " + type + "[3,130001,1] x i64{1,3,3}");
    expect_right("openvino-tile-1 " + type + "[2000001] x i64{2}");
  }
}

TEST_F(Openmp, MayBeCalledFromSeveralThreadsAtOnce) {
  const auto question = parse_case("openvino-tile-1 f32[17,5,3] x i64{3,7,67}");
  ASSERT_TRUE(question);
  const Tensor data = data_of(*question);
  const auto backend = with_threads(3);
  const auto wanted = filled(*backend, *question, data, 0);
  int right[4] = {};
  {
    std::vector<std::jthread> callers;
    for (int& each : right)
      callers.emplace_back([&] {
        for (int round = 0; round < 50; ++round)
          each += filled(*backend, *question, data, 0) == wanted;
      });
  }
  for (const int each : right)
    EXPECT_EQ(each, 50);
}

TEST_F(Openmp, StillTilesInAProcessForkedAfterItsThreadsWereStarted) {
  const auto question = parse_case("openvino-tile-1 u8[65537] x i64{5}");
  ASSERT_TRUE(question);
  const Tensor data = data_of(*question);
  const auto backend = with_threads(2);
  const auto wanted = filled(*backend, *question, data, 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // if it waits for threads that it does not have
    _exit(filled(*backend, *question, data, 0) == wanted ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace certile::backends
#endif
