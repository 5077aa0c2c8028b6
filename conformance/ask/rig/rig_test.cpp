#include "conformance/ask/rig/rig.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/ask/observe.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/testing/toy_backend_test.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

ControlBlock& control() {
  static ControlBlock block;
  return block;
}

Rig& rig() {
  static Rig only = *Rig::create(1 << 16, control());
  return only;
}

// Returns what is observed of that case.
Observation ask(const backends::Plugin& backend, const std::string& literal, bool left_side_first = false) {
  const Case question = *parse_case(literal);
  Request request = make_request(question, *expect(question));
  request.left_side_first = left_side_first;
  RawAnswer answer;
  answer.reply = rig().answer(backend, request);
  return observe(question, request, answer, 1000);
}

bool produced_the_answer(const Observation& seen, const std::string& literal) {
  const auto expected = std::get<Answer>(*expect(*parse_case(literal)));
  const auto* produced = std::get_if<Produced>(&seen.outcome);
  return produced != nullptr && produced->outputs == expected.tensors;
}

using Faults = std::vector<Fault>;

TEST(Rig, HasTheShapeOfTheDataInMemoryThatEndsWhereItDoes) {
  ToyBackend toy;
  std::vector<std::uintptr_t> ends;
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    ends.push_back(reinterpret_cast<std::uintptr_t>(call.data->shape + call.data->rank));
    return toy.right_run(call, out);
  };
  ask(toy, "onnx-tile-13 f32[2,3,5] x i64{2,1,1}");
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_EQ(ends[0] % static_cast<std::uintptr_t>(getpagesize()), 0U);
  EXPECT_NE(ends[1] % static_cast<std::uintptr_t>(getpagesize()), 0U);
}

constexpr const char* refused_case = "onnx-tile-13 f32[2] x i64{-1}";
// Returns true if the rig sees that a backend refuses with these words and their end, whatever the room.
bool sees_too_little_room_for(const std::string& words) {
  ToyBackend toy;
  toy.when_running = [&](const certile_call&, certile_tensor&) { return std::int32_t{CERTILE_REJECTED}; };
  toy.when_inferring = [&](const certile_call&, Shape&) { return std::int32_t{CERTILE_REJECTED}; };
  toy.why = toy.writes_all = words.c_str();
  const Outcome seen = ask(toy, refused_case, true).outcome;
  return std::get<Failed>(seen).message == "it wrote a message that does not end within the room for it";
}

TEST(Rig, SeesAMessageOrItsEndBeyondTheRoomForIt) {
  for (const int length : {64, 80, 200})
    EXPECT_TRUE(sees_too_little_room_for(std::string(static_cast<std::size_t>(length), '.'))) << length;
}

TEST(Rig, FindsNothingAgainstARightBackend) {
  ToyBackend toy;
  for (const char* literal :
       {"onnx-tile-13 f32[2,3] x i64{2,2}", "openvino-tile-1 u1[3,3] x i64{1,2}",
        "onnx-tile-13 string[3] x i64{2}", "onnx-tile-13 f32[0,3] x i64{2,2}",
        "openvino-tile-1 i4[3,3] x i64{2,1} @offset=5", "onnx-tile-13 c128[3] x i64{2} @guard=after",
        "onnx-tile-13 c128[3] x i64{2} @guard=before",
        "onnx-tile-1 f16[2,3] x f16[]{2} along f16[]{1} @offset=2",
        "onnx-tile-13 u8[7] x i64{3} @threads=2"}) {
    const Observation seen = ask(toy, literal);
    EXPECT_TRUE(produced_the_answer(seen, literal)) << literal;
    EXPECT_EQ(seen.rig, Faults{}) << literal << ": " << seen.details;
  }
}

TEST(Rig, LaysTheOutputFlushOnBothSidesWithOppositePoison) {
  ToyBackend toy;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::string seen;
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    const auto begin = reinterpret_cast<std::uintptr_t>(out.data);
    seen += begin % page == 0 ? "left " : (begin + out.byte_size) % page == 0 ? "right " : "inside ";
    const auto begins = reinterpret_cast<std::uintptr_t>(call.data->data);
    EXPECT_EQ(begins % page == 0, begin % page == 0);
    EXPECT_TRUE(std::ranges::all_of(bytes_of(out), [&](std::byte b) { return b == bytes_of(out)[0]; }));
    seen += bytes_of(out)[0] == Rig::poison[0] ? "A " : "B ";
    return toy.right_run(call, out);
  };
  ask(toy, "onnx-tile-13 u8[3] x i64{2}");
  EXPECT_EQ(seen, "right A left B ");
  seen.clear();
  ask(toy, "onnx-tile-13 u8[3] x i64{2}", true);
  EXPECT_EQ(seen, "left B right A ");
  seen.clear();
  ask(toy, "onnx-tile-13 u8[3] x i64{2} @guard=after");
  EXPECT_EQ(seen, "right A right B ");
}

TEST(Rig, PlacesEveryOperandAtTheOffset) {
  ToyBackend toy;
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    for (const void* begin : {out.data, call.data->data})
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(begin) % 64, 3U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(call.repeats->data) % 8, 0U) << "i64 has to be aligned";
    return toy.right_run(call, out);
  };
  EXPECT_EQ(ask(toy, "onnx-tile-13 u8[3] x i64{2} @offset=3").rig, Faults{});
}

TEST(Rig, FindsEachByteThatIsLeftUnwritten) {
  const std::string literal = "onnx-tile-13 f32[3] x i64{2} fill=bits:7";
  for (std::size_t skipped = 0; skipped < 24; ++skipped) {
    ToyBackend toy;
    toy.when_running = [&](const certile_call& call, certile_tensor& out) {
      const std::byte before = bytes_of(out)[skipped];
      const std::int32_t status = toy.right_run(call, out);
      bytes_of(out)[skipped] = before;
      return status;
    };
    EXPECT_EQ(ask(toy, literal).rig, Faults{Fault::left_unwritten}) << skipped;
  }
}

TEST(Rig, FindsHalfAByteThatIsLeftUnwritten) {
  for (const unsigned mask : {0x0fU, 0xf0U}) {
    ToyBackend toy;
    toy.when_running = [&](const certile_call& call, certile_tensor& out) {
      const std::byte before = bytes_of(out)[0];
      const std::int32_t status = toy.right_run(call, out);
      bytes_of(out)[0] =
          (bytes_of(out)[0] & static_cast<std::byte>(~mask)) | (before & static_cast<std::byte>(mask));
      return status;
    };
    EXPECT_EQ(ask(toy, "openvino-tile-1 u4{1,2,3} x i64{1}").rig, Faults{Fault::left_unwritten}) << mask;
  }
}

TEST(Rig, AllowsPaddingBitsToStay) {
  ToyBackend toy;
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::byte before = bytes_of(out)[1];
    const std::int32_t status = toy.right_run(call, out);
    bytes_of(out)[1] = (bytes_of(out)[1] & std::byte{0x0f}) | (before & std::byte{0xf0});
    return status;
  };
  const std::string literal = "openvino-tile-1 u4{1,2,3} x i64{1}";
  const Observation seen = ask(toy, literal);
  EXPECT_EQ(seen.rig, Faults{});
  EXPECT_TRUE(produced_the_answer(seen, literal));
}

TEST(Rig, FindsAStringThatIsLeftUnwritten) {
  for (const std::size_t skipped : {std::size_t{0}, std::size_t{5}}) {
    ToyBackend toy;
    toy.when_running = [&](const certile_call& call, certile_tensor& out) {
      const auto view = bytes_of(out).subspan(skipped * sizeof(StringElement), sizeof(StringElement));
      const std::vector<std::byte> before(view.begin(), view.end());
      const std::int32_t status = toy.right_run(call, out);
      std::copy(before.begin(), before.end(), view.begin());
      return status;
    };
    EXPECT_EQ(ask(toy, "onnx-tile-13 string[3] x i64{2}").rig, Faults{Fault::left_unwritten}) << skipped;
  }
}

TEST(Rig, FindsAByteWrittenIntoTheGuardBytesOnEitherSide) {
  for (const bool before : {true, false}) {
    ToyBackend toy;
    toy.when_running = [&](const certile_call& call, certile_tensor& out) {
      const std::int32_t status = toy.right_run(call, out);
      *(before ? bytes_of(out).data() - 1 : bytes_of(out).data() + out.byte_size) = std::byte{0};
      return status;
    };
    EXPECT_EQ(ask(toy, "onnx-tile-13 u8[3] x i64{2} @offset=3").rig, Faults{Fault::wrote_outside});
  }
}

TEST(Rig, FindsARefusalThatWrites) {
  for (const std::size_t written : {std::size_t{0}, std::size_t{7}}) {
    ToyBackend toy;
    toy.when_running = [&](const certile_call& call, certile_tensor& out) {
      EXPECT_EQ(out.byte_size, 8U) << "of the data's shape";
      bytes_of(out)[written] = std::byte{1};
      return toy.right_run(call, out);
    };
    const Observation seen = ask(toy, "onnx-tile-13 f32[2] x i64{-1}");
    EXPECT_TRUE(std::holds_alternative<Refused>(seen.outcome));
    EXPECT_EQ(seen.rig, Faults{Fault::wrote_on_refusal});
  }
}

TEST(Rig, AsksRunToRefuseWhatInferRefused) {
  ToyBackend toy;
  toy.when_running = [&](const certile_call&, certile_tensor&) { return CERTILE_OK; };
  EXPECT_TRUE(std::holds_alternative<Produced>(ask(toy, "onnx-tile-13 f32[2] x i64{-1}").outcome));
  EXPECT_EQ(toy.runs, 2);
}

TEST(Rig, DoesNotRunIntoAShapeThatIsNotDue) {
  for (const Shape& wrong : {Shape{7}, Shape{1, 6}, Shape{std::int64_t{1} << 62}, Shape{-6}, Shape{}}) {
    ToyBackend toy;
    toy.when_inferring = [&](const certile_call&, Shape& shape) {
      shape = wrong;
      return CERTILE_OK;
    };
    const Observation seen = ask(toy, "onnx-tile-13 f32[3] x i64{2}");
    EXPECT_EQ(toy.runs, 0);
    ASSERT_TRUE(seen.inferred && *seen.inferred);
    EXPECT_EQ(**seen.inferred, wrong);
  }
}

TEST(Rig, RunsWhatInferShouldHaveRefusedAndLooksAtTheStatusAlone) {
  ToyBackend toy;
  toy.when_inferring = [](const certile_call&, Shape& shape) {
    shape = {2};
    return CERTILE_OK;
  };
  const Observation seen = ask(toy, "onnx-tile-13 f32[2] x i64{-1}");
  EXPECT_EQ(toy.runs, 2);
  EXPECT_TRUE(seen.inferred && *seen.inferred);
  EXPECT_TRUE(std::holds_alternative<Refused>(seen.outcome));
}

TEST(Rig, DoesNotRunWithAnOutputFarTooLargeWhatInferShouldHaveRefused) {
  ToyBackend toy;
  toy.when_inferring = [](const certile_call&, Shape& shape) {
    shape = {std::int64_t{1} << 40};
    return CERTILE_OK;
  };
  ask(toy, "onnx-tile-13 f32[2] x i64{-1}");
  EXPECT_EQ(toy.runs, 0);
}

TEST(Rig, DoesNotRunWhereOnlyTheShapeIsAsked) {
  ToyBackend toy;
  toy.when_inferring = [&](const certile_call& call, Shape& shape) {
    EXPECT_EQ(call.data->data, nullptr);
    shape = {std::int64_t{65537} * 65536};
    return CERTILE_OK;
  };
  const Observation seen = ask(toy, "onnx-tile-13 f32[65537] x i64{65536} @infer");
  EXPECT_EQ(toy.runs, 0);
  EXPECT_EQ(**seen.inferred, Shape{std::int64_t{65537} * 65536});
}

TEST(Rig, GivesABareKernelTheShape) {
  ToyBackend toy(ToyBackend::Inference::none);
  const std::string literal = "onnx-tile-13 f32[3] x i64{2}";
  const Observation seen = ask(toy, literal);
  EXPECT_FALSE(seen.inferred);
  EXPECT_TRUE(produced_the_answer(seen, literal));
  EXPECT_EQ(toy.runs, 2);
}

TEST(Rig, TakesWhatIsThrownForAFailure) {
  ToyBackend toy;
  toy.when_running = [](const certile_call&, certile_tensor&) -> std::int32_t {
    throw std::runtime_error("oh");
  };
  const Observation seen = ask(toy, "onnx-tile-13 f32[3] x i64{2}");
  ASSERT_TRUE(std::holds_alternative<Failed>(seen.outcome));
  EXPECT_EQ(std::get<Failed>(seen.outcome).message, "an exception crossed the C table: oh");
  toy.when_running = [](const certile_call&, certile_tensor&) -> std::int32_t { throw std::bad_alloc(); };
  EXPECT_FALSE(std::get<Failed>(ask(toy, "onnx-tile-13 f32[3] x i64{2}").outcome).out_of_memory);
  toy.when_running = [](const certile_call&, certile_tensor&) -> std::int32_t { throw 42; };
  EXPECT_TRUE(std::holds_alternative<Failed>(ask(toy, "onnx-tile-13 f32[3] x i64{2}").outcome));
}

TEST(Rig, PassesOnWhatWasChangedInTheDescriptor) {
  const auto faults_of = [](void (*change)(certile_tensor&)) {
    ToyBackend toy;
    toy.when_running = [&](const certile_call& call, certile_tensor& out) {
      const std::int32_t status = toy.right_run(call, out);
      change(out);
      return status;
    };
    return ask(toy, "onnx-tile-13 f32[3] x i64{2}").rig;
  };
  EXPECT_EQ(faults_of([](certile_tensor& out) { out.data = nullptr; }), Faults{Fault::aliased});
  EXPECT_EQ(faults_of([](certile_tensor& out) { out.rank = 0; }), Faults{Fault::shape});
  EXPECT_EQ(faults_of([](certile_tensor& out) { out.element_type = CERTILE_U32; }), Faults{Fault::type});
}

TEST(Rig, FindsTwoAnswersToOneCall) {
  ToyBackend toy;
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::int32_t status = toy.right_run(call, out);
    if (toy.runs == 2) bytes_of(out)[5] ^= std::byte{1};
    return status;
  };
  EXPECT_EQ(ask(toy, "onnx-tile-13 f32[3] x i64{2}").rig, Faults{Fault::unsteady});
}

TEST(Rig, KeepsOneOutputWhereBothRunsGiveIt) {
  ToyBackend toy;
  for (const bool left_side_first : {false, true}) {
    for (const char* literal : {"onnx-tile-13 f32[3] x i64{2}", "onnx-tile-13 string[3] x i64{2}"}) {
      const Case question = *parse_case(literal);
      Request request = make_request(question, *expect(question));
      request.left_side_first = left_side_first;
      const Reply reply = rig().answer(toy, request);
      EXPECT_EQ(reply.runs[0].outputs.size(), 1U) << literal;
      EXPECT_FALSE(reply.runs[0].like_first) << literal;
      EXPECT_TRUE(reply.runs[1].outputs.empty()) << literal;
      EXPECT_TRUE(reply.runs[1].like_first) << literal;
    }
  }
}

TEST(Rig, StopsTheClockOutsideOfCalls) {
  ToyBackend toy;
  const auto under_way = [] { return control().calls.under_way.load(); };
  toy.when_inferring = [&](const certile_call&, Shape& shape) {
    EXPECT_EQ(under_way(), 1U);
    shape = {6};
    return CERTILE_OK;
  };
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    EXPECT_EQ(under_way(), 1U);
    return toy.right_run(call, out);
  };
  ask(toy, "onnx-tile-13 f32[3] x i64{2}");
  EXPECT_EQ(toy.runs, 2);
  EXPECT_EQ(under_way(), 0U);
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    EXPECT_GE(under_way(), 1U);
    return toy.right_run(call, out);
  };
  toy.when_inferring = {};
  ask(toy, "onnx-tile-13 f32[3,2] x i64{2,1} @threads=2");
  EXPECT_EQ(under_way(), 0U);
}

TEST(Rig, FindsACallThatIsRefusedOnlyTheSecondTime) {
  ToyBackend toy;
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    if (toy.runs == 2) return std::int32_t{CERTILE_FAILED};
    return toy.right_run(call, out);
  };
  EXPECT_EQ(ask(toy, "onnx-tile-13 f32[3] x i64{2}").rig, Faults{Fault::unsteady});
}

TEST(Rig, FindsThatTheOracleWasAsked) {
  ToyBackend toy;
  const Case question = *parse_case("onnx-tile-13 f32[3] x i64{2}");
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    static_cast<void>(oracle::tile(question, data_of(question)));
    return toy.right_run(call, out);
  };
  EXPECT_EQ(ask(toy, "onnx-tile-13 f32[3] x i64{2}").rig, Faults{Fault::called_oracle});
}

TEST(Rig, ExplainsAFaultByOperandAndDistance) {
  ToyBackend toy;
  const auto noted = [&](const std::byte* address, bool writing) {
    control().fault.fault.store(0);
    rig().note_fault(address, writing);
  };
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    if (toy.runs == 1) {
      noted(bytes_of(out).data() + out.byte_size, true);
      EXPECT_EQ(control().fault.fault.load(), static_cast<std::uint32_t>(Fault::wrote_outside));
      EXPECT_EQ(control().fault.operand.load(), 3U);
      EXPECT_EQ(control().fault.distance.load(), 1);
      noted(bytes_of(*call.repeats).data() - 9, false);
      EXPECT_EQ(control().fault.fault.load(), static_cast<std::uint32_t>(Fault::read_outside));
      EXPECT_EQ(control().fault.operand.load(), 1U);
      EXPECT_EQ(control().fault.distance.load(), -9);
      noted(bytes_of(*call.data).data(), true);
      EXPECT_EQ(control().fault.fault.load(), static_cast<std::uint32_t>(Fault::changed_input));
      noted(nullptr, true);
      EXPECT_EQ(control().fault.fault.load(), 0U) << "a null pointer is nobody's buffer";
    }
    return toy.right_run(call, out);
  };
  ask(toy, "onnx-tile-13 f32[3] x i64{2}");
  EXPECT_EQ(toy.runs, 2);
}

}  // namespace
}  // namespace certile::conformance
