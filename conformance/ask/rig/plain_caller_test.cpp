#include "conformance/ask/rig/plain_caller.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/ask/observe.hpp"
#include "conformance/testing/toy_backend_test.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

// A right backend that is called plainly in this process.
class Called {
 public:
  explicit Called(ToyBackend::Inference inference = ToyBackend::Inference::own) : toy(inference) {}

  Reply answer(const std::string& literal, const PlainCalls& plain) {
    const Case question = *parse_case(literal);
    Request request = plain_request(question, *oracle::output_shape(question));
    request.plain = plain;
    if (plain.again) request.data.clear();
    return caller_.answer(toy, std::move(request), control_);
  }
  bool is_in_a_call() const { return control_.calls.under_way.load() != 0; }

  ToyBackend toy;

 private:
  ControlBlock control_{};
  PlainCaller caller_;
};

const std::string the_call = "onnx-tile-13 f32[2,3,4] x i64{1,2,3}";

std::vector<std::byte> right(const std::string& literal) {
  const Case question = *parse_case(literal);
  const Tensor output = *oracle::tile(question, data_of(question));
  return {output.bytes().begin(), output.bytes().end()};
}

TEST(PlainCaller, TimesABatchAfterACallThatIsNotTimed) {
  for (const bool cold : {false, true}) {
    Called called;
    const Reply reply = called.answer(the_call, {.timed = 3, .cold = cold});
    EXPECT_EQ(reply.runs[0].end, Status::ok);
    EXPECT_EQ(called.toy.runs, 4);
    EXPECT_GT(reply.timing.nanoseconds, 0);
    EXPECT_TRUE(reply.runs[0].outputs.empty());
    EXPECT_FALSE(called.is_in_a_call());
  }
}

TEST(PlainCaller, ReturnsTheOutputOfOneCall) {
  for (const auto inference : {ToyBackend::Inference::own, ToyBackend::Inference::none})
    for (const std::string& literal : {the_call, std::string("openvino-tile-1 u4[3,3] x i64{1,2}"),
                                       std::string("onnx-tile-1 f32[2,3] x f32[]{2} along f32[]{1}")}) {
      Called called(inference);
      const Reply reply = called.answer(literal, {});
      ASSERT_EQ(reply.runs[0].outputs.size(), 1U) << literal;
      EXPECT_EQ(reply.runs[0].outputs[0], right(literal)) << literal;
      EXPECT_EQ(called.toy.runs, 1);
    }
}

TEST(PlainCaller, KeepsTheOperandsAndTheOutputForTheNextRequest) {
  Called called;
  called.answer(the_call, {});
  EXPECT_EQ(called.answer(the_call, {.again = true, .begin = 570}).runs[0].outputs[0].size(), 6U);
  EXPECT_TRUE(called.answer(the_call, {.again = true, .begin = 576}).runs[0].outputs[0].empty());
  EXPECT_EQ(called.toy.runs, 1);
  EXPECT_EQ(called.answer(the_call, {.timed = 1, .again = true}).runs[0].end, Status::ok);
  EXPECT_EQ(called.toy.runs, 3);
}

TEST(PlainCaller, FailsForOperandsThatItDoesNotHave) {
  Called called;
  const Reply reply = called.answer(the_call, {.timed = 1, .again = true});
  EXPECT_EQ(reply.runs[0].end, Status::failed);
  EXPECT_EQ(called.toy.runs, 0);
}

TEST(PlainCaller, ShowsBytesThatAreNotWritten) {
  Called called;
  called.toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::byte last = bytes_of(out).back();
    const std::int32_t status = called.toy.right_run(call, out);
    bytes_of(out).back() = last;
    return status;
  };
  const auto output = called.answer(the_call, {}).runs[0].outputs.at(0);
  const auto expected = right(the_call);
  EXPECT_TRUE(std::equal(output.begin(), output.end() - 1, expected.begin()));
  EXPECT_NE(output.back(), expected.back());
}

TEST(PlainCaller, StopsAtTheFirstCallThatFails) {
  Called called;
  called.toy.why = "three are enough";
  called.toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    return called.toy.runs > 3 ? std::int32_t{CERTILE_FAILED} : called.toy.right_run(call, out);
  };
  const Reply reply = called.answer(the_call, {.timed = 100});
  EXPECT_EQ(reply.runs[0].end, Status::failed);
  EXPECT_EQ(reply.runs[0].message, "three are enough");
  EXPECT_EQ(called.toy.runs, 4);
}

TEST(PlainCaller, MakesNoCallThatInferRefusesOrForWhichItGivesAnotherShape) {
  Called called;
  called.toy.when_inferring = [](const certile_call&, Shape&) { return std::int32_t{CERTILE_REJECTED}; };
  EXPECT_EQ(called.answer(the_call, {.timed = 1}).inferred, Status::rejected);
  called.toy.when_inferring = [](const certile_call&, Shape& shape) {
    shape = {7};
    return std::int32_t{CERTILE_OK};
  };
  EXPECT_EQ(called.answer(the_call, {.timed = 1}).runs[0].message, "it infers another shape");
  EXPECT_EQ(called.toy.runs, 0);
}

TEST(PlainCaller, TakesAChangedDescriptionForAFailure) {
  Called called;
  called.toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::int32_t status = called.toy.right_run(call, out);
    out.data = nullptr;
    return status;
  };
  EXPECT_EQ(called.answer(the_call, {}).runs[0].message, "it changed the output's description");
}

}  // namespace
}  // namespace certile::conformance
