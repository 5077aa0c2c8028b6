// Tests which calls the rig makes, in which order and at which addresses.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/ask/observe.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/testing/toy_backend_test.hpp"

namespace certile::conformance {
namespace {

ControlBlock& block_of_calls() {
  static ControlBlock block;
  return block;
}

void ask_again(const backends::Plugin& backend, const std::string& literal) {
  static Rig rig = *Rig::create(1 << 16, block_of_calls());
  const Case question = *parse_case(literal);
  static_cast<void>(rig.answer(backend, make_request(question, *expect(question))));
}

TEST(CallsOfRig, InfersTheShapeOfTheCaseBeforeBetweenTheTwoRuns) {
  ToyBackend toy;
  std::vector<std::int64_t> asked;
  toy.when_inferring = [&](const certile_call& call, Shape& shape) {
    asked.push_back(call.data->shape[0]);
    shape = {2 * call.data->shape[0]};
    return std::int32_t{CERTILE_OK};
  };
  ask_again(toy, "onnx-tile-13 f32[2] x i64{2}");
  asked.clear();
  ask_again(toy, "onnx-tile-13 f32[3] x i64{2}");
  EXPECT_EQ(asked, (std::vector<std::int64_t>{3, 2}));
}

TEST(CallsOfRig, PlacesTheOutputApartFromTheInputs) {
  ToyBackend toy;
  std::set<std::pair<std::uintptr_t, std::uintptr_t>> seen;
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    seen.insert({reinterpret_cast<std::uintptr_t>(call.data->data) % 64,
                 reinterpret_cast<std::uintptr_t>(out.data) % 64});
    return toy.right_run(call, out);
  };
  ask_again(toy, "onnx-tile-13 u8[3] x i64{2} @offset=5,output=17");
  ask_again(toy, "onnx-tile-13 u8[3] x i64{2} @output=9");
  ask_again(toy, "onnx-tile-13 u8[3] x i64{2} @offset=7,output=0");
  EXPECT_EQ(seen, (std::set<std::pair<std::uintptr_t, std::uintptr_t>>{{5, 17}, {0, 9}, {7, 0}}));
}

TEST(CallsOfRig, CountsEveryCall) {
  ToyBackend toy;
  ask_again(toy, "onnx-tile-13 f32[2] x i64{2}");
  const std::uint64_t before = block_of_calls().calls.begun.load();
  ask_again(toy, "onnx-tile-13 f32[3] x i64{2}");
  EXPECT_EQ(block_of_calls().calls.begun.load() - before, 4U);  // infer, run, infer of the case before, run
  EXPECT_EQ(block_of_calls().phase.load(), Phase::idle);
}

}  // namespace
}  // namespace certile::conformance
