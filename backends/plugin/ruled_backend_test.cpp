#include "backends/plugin/ruled_backend.hpp"

#include <gtest/gtest.h>

#include <new>
#include <string>

#include "reference/values/call.hpp"

namespace certile {
namespace {

// Moves nothing, but counts how often it was asked to; its claim has limits.
class Limited final : public RuledBackend {
 public:
  Limited() : RuledBackend(claim()) {}
  int moves = 0;
  bool memory = true;

 private:
  static Description claim() {
    Description claim;
    claim.name = "limited";
    claim.version = "1";
    claim.definitions = all_definitions();
    claim.types = {ElementType::u8, ElementType::f64};
    claim.repeats_types = readable_repeats_types();
    claim.max_rank = 2;
    claim.max_elements = 100;
    claim.max_bytes = 400;
    return claim;
  }
  void move_elements(std::span<const Axis>, TensorView, MutableTensorView) override {
    if (!memory) throw std::bad_alloc();
    ++moves;
  }
};

// What `infer` says, in one word or sentence.
std::string said(const std::string& literal) {
  Limited limited;
  const CallTensors tensors = make_shape_call(*parse_case(literal));
  const auto shape = limited.infer(tensors.call());
  if (shape) return "fine";
  return shape.error().code == Error::Code::unsupported ? shape.error().what
                                                        : "rejected: " + shape.error().what;
}

TEST(RuledBackend, IsUnsupportedBeyondItsLimits) {
  EXPECT_EQ(said("openvino-tile-1 u8[50] x i64{2}"), "fine");
  EXPECT_EQ(said("openvino-tile-1 u8[50] x i64{1,1,1}"), "limited goes to rank 2");
  EXPECT_EQ(said("openvino-tile-1 u8[101] x i64{1}"), "limited goes to 100 elements");
  EXPECT_EQ(said("openvino-tile-1 f64[51] x i64{1}"), "limited goes to 400 bytes");
  EXPECT_EQ(said("openvino-tile-1 i8[1] x i64{1}"), "limited does not move i8");
}

TEST(RuledBackend, RejectsWhatTheOperatorRefusesWhateverItsLimits) {
  EXPECT_EQ(said("onnx-tile-13 i4[2] x i64{1,1,1}").substr(0, 9), "rejected:");
}

TEST(RuledBackend, MovesNothingForAnEmptyOutput) {
  Limited limited;
  const CallTensors tensors = make_call(*parse_case("openvino-tile-1 u8[2] x i64{0}"));
  Tensor out(ElementType::u8, {0});
  EXPECT_TRUE(limited.run(tensors.call(), out.mutable_view()));
  EXPECT_EQ(limited.moves, 0);
}

TEST(RuledBackend, SaysWhenMemoryIsMissing) {
  Limited limited;
  limited.memory = false;
  const CallTensors tensors = make_call(*parse_case("openvino-tile-1 u8[2] x i64{1}"));
  Tensor out(ElementType::u8, {2});
  const auto run = limited.run(tensors.call(), out.mutable_view());
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Error::Code::out_of_memory);
}

}  // namespace
}  // namespace certile
