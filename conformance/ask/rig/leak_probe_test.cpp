#include "conformance/ask/rig/leak_probe.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "conformance/ask/observe.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/testing/toy_backend_test.hpp"

namespace certile::conformance {
namespace {

// A store of memory that a backend keeps for good: until the test ends.
class Keeper {
 public:
  void keep(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::make_unique<char[]>(bytes));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<char[]>> kept_;
};

std::string kept_by(const backends::Plugin& backend, const std::string& literal) {
  const Case question = *parse_case(literal);
  const Expectation expected = *expect(question);
  CallClock calls{};
  const Request request = make_request(question, expected);
  return LeakProbe(backend, request, std::get<Answer>(expected).shape, calls).kept();
}

constexpr const char* small_call = "onnx-tile-13 f32[2,3] x i64{2,1}";

TEST(LeakProbe, AccuseNoBackendThatKeepsNothing) {
  const ToyBackend backend;
  EXPECT_EQ(kept_by(backend, small_call), "");
  EXPECT_EQ(kept_by(backend, "onnx-tile-13 string[2,3] x i64{2,1}"), "");
}

TEST(LeakProbe, SeeWhatIsKeptOfEachThreadThatHasEnded) {
  ToyBackend backend;
  Keeper keeper;
  backend.when_running = [&](const certile_call& call, certile_tensor& out) {
    static thread_local bool has_scratch = false;
    if (!has_scratch) keeper.keep(4096);
    has_scratch = true;
    return backend.right_run(call, out);
  };
  const std::string kept = kept_by(backend, small_call);
  EXPECT_NE(kept.find("allocated bytes in each call"), std::string::npos) << kept;
  EXPECT_TRUE(kept.ends_with(", each made by a thread that ended after it")) << kept;
}

TEST(LeakProbe, AccuseNoBackendThatFreesAThousandBlocksAtOnce) {
  for (std::size_t before = 0; before < 1000; before += 200) {
    ToyBackend backend;
    std::vector<std::unique_ptr<char[]>> blocks(1000);
    for (std::size_t index = 0; index < before; ++index)
      blocks[index] = std::make_unique<char[]>(256);
    std::size_t used = before;
    std::mutex mutex;
    backend.when_running = [&](const certile_call& call, certile_tensor& out) {
      const std::lock_guard lock(mutex);
      blocks[used++] = std::make_unique<char[]>(256);
      if (used == blocks.size()) {
        for (auto& block : blocks)
          block.reset();
        used = 0;
      }
      return backend.right_run(call, out);
    };
    EXPECT_EQ(kept_by(backend, small_call), "") << before;
  }
}

TEST(LeakProbe, SeeWhatAnInferenceKeepsUntilARunTakesIt) {
  ToyBackend backend;
  Keeper keeper;
  bool is_prepared = false;
  std::mutex mutex;
  backend.when_inferring = [&](const certile_call&, Shape& shape) {
    const std::lock_guard lock(mutex);
    if (is_prepared) keeper.keep(1024);
    is_prepared = true;
    shape = {4, 3};
    return std::int32_t{CERTILE_OK};
  };
  backend.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::lock_guard lock(mutex);
    is_prepared = false;
    return backend.right_run(call, out);
  };
  const std::string kept = kept_by(backend, small_call);
  EXPECT_TRUE(kept.ends_with(", each asking for the shape alone")) << kept;
}

// Returns what is seen of a backend that keeps a plan of 2 KiB for each shape, but not more than `most` of
// them.
std::string kept_by_cache_of(std::size_t most) {
  ToyBackend backend;
  Keeper keeper;
  std::set<Shape> shapes;
  std::mutex mutex;
  backend.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::lock_guard lock(mutex);
    const Shape shape(call.data->shape, call.data->shape + call.data->rank);
    if (shapes.size() < most && shapes.insert(shape).second) keeper.keep(2048);
    return backend.right_run(call, out);
  };
  return kept_by(backend, small_call);
}

TEST(LeakProbe, SeeACacheOfShapesWithoutABound) {
  const std::string kept = kept_by_cache_of(1'000'000);
  EXPECT_TRUE(kept.ends_with(", each with data of another shape")) << kept;
}

TEST(LeakProbe, AccuseNoCacheOfShapesWithABound) {
  EXPECT_EQ(kept_by_cache_of(5'000), "");
}

// The results grow with the shapes, and with the repeats, of calls in rising order.
TEST(LeakProbe, AccuseNoCacheOfTheLastResults) {
  for (const char* literal : {"onnx-tile-13 u8[2,3] x i64{2,1}", "onnx-tile-13 f32[2,3] x i64{1,1}"}) {
    ToyBackend backend;
    std::deque<std::vector<std::byte>> results;
    std::mutex mutex;
    backend.when_running = [&](const certile_call& call, certile_tensor& out) {
      const std::int32_t status = backend.right_run(call, out);
      const std::lock_guard lock(mutex);
      const auto bytes = bytes_of(out);
      results.emplace_back(bytes.begin(), bytes.end());
      if (results.size() > 40) results.pop_front();
      return status;
    };
    EXPECT_EQ(kept_by(backend, literal), "") << literal;
  }
}

TEST(LeakProbe, SeeWhatIsKeptOfEachShapeThatIsRefused) {
  ToyBackend backend;
  Keeper keeper;
  std::set<Shape> refused;
  backend.when_inferring = [&](const certile_call& call, Shape&) {
    const Shape shape(call.data->shape, call.data->shape + call.data->rank);
    if (refused.insert(shape).second) keeper.keep(120);
    return std::int32_t{CERTILE_REJECTED};
  };
  const Case question = *parse_case("onnx-tile-13 f32[2,3] x i64{2147483648,4294967296}");
  CallClock calls{};
  const Request request = make_request(question, *expect(question));
  const std::string kept = LeakProbe(backend, request, {2, 3}, calls).kept();
  EXPECT_TRUE(kept.ends_with(", each with data of another shape, which is refused")) << kept;
}

TEST(LeakProbe, RunOtherStringsInOtherThreads) {
  ToyBackend backend;
  std::set<std::string> seen;
  std::set<std::thread::id> threads;
  backend.when_running = [&](const certile_call& call, certile_tensor& out) {
    const auto* strings = static_cast<const certile_string*>(call.data->data);
    seen.insert(std::string(strings[1].bytes, strings[1].size));
    threads.insert(std::this_thread::get_id());
    return backend.right_run(call, out);
  };
  const Case question = *parse_case("onnx-tile-13 string{\"a\",\"bcd\"} x i64{2}");
  const Expectation expected = *expect(question);
  CallClock calls{};
  const Request request = make_request(question, expected);
  LeakProbe(backend, request, {4}, calls).call_with_other_strings();
  EXPECT_EQ(seen, std::set<std::string>{"~~~"});
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

}  // namespace
}  // namespace certile::conformance
