#include "conformance/ask/rig/made_otherwise.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "conformance/ask/observe.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/testing/toy_backend_test.hpp"

namespace certile::conformance {
namespace {

// A small call, and its first answer.
class MadeOtherwise : public testing::Test {
 protected:
  MadeOtherwise() {
    EXPECT_TRUE(output_.place(12, {Spot::Side::right, 0}));
    const backends::PluginCall call(request_.definition, request_.data.front().view(),
                                    request_.repeats.view(), std::nullopt);
    static_cast<void>(backend_.plugin().run(
        call, backends::c_tensor(MutableTensorView{ElementType::u8, shape_, output_.written()})));
    soaked_.emplace(backend_, request_, shape_, output_, control_, Status::ok);
  }

  ToyBackend backend_;
  const Case question_ = *parse_case("onnx-tile-13 u8[2,3] x i64{2,1}");
  const Request request_ = make_request(question_, *expect(question_));
  const Shape shape_{4, 3};
  Arena output_ = *Arena::create(4096, false, Arena::output_guard);
  ControlBlock control_{};
  std::optional<SoakedCall> soaked_;
};

TEST_F(MadeOtherwise, NextToItsDataIsAnsweredAlike) {
  EXPECT_FALSE(made_next_to_its_data(*soaked_));
}

TEST_F(MadeOtherwise, NextToItsDataShowsACopyThatIsMadeBackwards) {
  std::atomic<int> before = 0, behind = 0;
  backend_.when_running = [&](const certile_call& call, certile_tensor& out) {
    const auto* data = static_cast<const std::byte*>(call.data->data);
    auto* const output = static_cast<std::byte*>(out.data);
    before += output + out.byte_size == data;
    behind += output == data + call.data->byte_size;
    const std::int32_t status = backend_.right_run(call, out);
    if (output + out.byte_size == data) output[0] ^= std::byte{1};
    return status;
  };
  EXPECT_TRUE(made_next_to_its_data(*soaked_));
  EXPECT_EQ(before, 1);
  EXPECT_EQ(behind, 1);
}

TEST_F(MadeOtherwise, AfterAnotherRepeatIsAnsweredAlike) {
  EXPECT_FALSE(made_after_another_repeat(*soaked_));
}

TEST_F(MadeOtherwise, AfterAnotherRepeatShowsWhatIsKnownAgainByItsAddress) {
  const void* inferred = nullptr;
  std::int64_t kept = 0;
  backend_.when_inferring = [&](const certile_call& call, Shape&) {
    inferred = call.repeats->data;
    kept = static_cast<const std::int64_t*>(inferred)[0];
    return CERTILE_OK;
  };
  backend_.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::int32_t status = backend_.right_run(call, out);
    const bool is_stale =
        call.repeats->data == inferred && kept != static_cast<const std::int64_t*>(inferred)[0];
    if (is_stale) static_cast<std::byte*>(out.data)[0] ^= std::byte{1};
    return status;
  };
  EXPECT_TRUE(made_after_another_repeat(*soaked_));
}

// Answers rightly while no other thread that has the same place, of `places` for all threads, is in a call.
std::int32_t run_in_place(const ToyBackend& backend, std::size_t places, const certile_call& call,
                          certile_tensor& out) {
  static std::atomic<std::size_t> threads = 0;
  static std::array<std::atomic<int>, 128> users{};
  thread_local const std::size_t number = threads++;
  std::atomic<int>& own = users[number % places];
  own += 1;
  std::this_thread::sleep_for(std::chrono::microseconds(100));
  const std::int32_t status = backend.right_run(call, out);
  if (own > 1) static_cast<std::byte*>(out.data)[0] ^= std::byte{1};
  own -= 1;
  return status;
}

TEST_F(MadeOtherwise, AmongManyThreadsShowsAPlaceForEachOf64) {
  backend_.when_running = [&](const certile_call& call, certile_tensor& out) {
    return run_in_place(backend_, 64, call, out);
  };
  UnlikeCalls unlike(backend_, request_, shape_, control_.calls);
  EXPECT_TRUE(made_among_many_threads(unlike, *soaked_));
}

TEST_F(MadeOtherwise, AmongManyThreadsIsAnsweredAlikeByAnImplementationWithAPlaceForEach) {
  UnlikeCalls unlike(backend_, request_, shape_, control_.calls);
  EXPECT_FALSE(made_among_many_threads(unlike, *soaked_));
}

}  // namespace
}  // namespace certile::conformance
