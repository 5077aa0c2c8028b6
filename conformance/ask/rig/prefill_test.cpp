#include "conformance/ask/rig/output_bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "conformance/ask/observe.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/testing/toy_backend_test.hpp"

namespace certile::conformance {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> all;
  for (const int value : values)
    all.push_back(static_cast<std::byte>(value));
  return all;
}

std::vector<std::byte> prefilled(Prefill wanted, std::vector<std::byte> answer) {
  prefill(wanted, answer);
  return answer;
}

TEST(Prefill, HasZerosOrRightBytesWhereItSaysAndWrongOnesElsewhere) {
  EXPECT_EQ(prefilled(Prefill::zeros_first, bytes({1, 2, 3, 4, 5})), bytes({0, 0, 0, 0xfb, 0xfa}));
  EXPECT_EQ(prefilled(Prefill::zeros_behind, bytes({1, 2, 3, 4, 5})), bytes({0xfe, 0xfd, 0, 0, 0}));
  EXPECT_EQ(prefilled(Prefill::right_ends, bytes({1, 2, 3, 4, 5})), bytes({1, 0xfd, 0xfc, 0xfb, 5}));
  EXPECT_EQ(prefilled(Prefill::right_ends, bytes({7})), bytes({0xf8}));
}

Request request_for(std::int64_t repeat) {
  const Case question = *parse_case("onnx-tile-13 u8[40] x i64{" + std::to_string(repeat) + "}");
  return make_request(question, *expect(question));
}

// Returns the smallest repeat with that prefill.
std::int64_t repeat_with(Prefill wanted) {
  std::int64_t repeat = 2;
  while (prefill_of(request_for(repeat), 80) != wanted)
    ++repeat;
  return repeat;
}

TEST(Prefill, IsOfAShareOfTheCallsAndOfNoLargeOutput) {
  std::multiset<Prefill> met;
  for (std::int64_t repeat = 1; repeat <= 200; ++repeat)
    met.insert(prefill_of(request_for(repeat), 80));
  for (const Prefill each : {Prefill::zeros_first, Prefill::zeros_behind, Prefill::right_ends})
    EXPECT_TRUE(met.count(each) > 10 && met.count(each) < 50) << met.count(each);
  EXPECT_EQ(prefill_of(request_for(repeat_with(Prefill::zeros_first)), 2 << 20), Prefill::none);
}

Observation ask(const backends::Plugin& backend, Prefill wanted) {
  static ControlBlock control;
  static Rig rig = *Rig::create(1 << 16, control);
  const Case question =
      *parse_case("onnx-tile-13 u8[40] x i64{" + std::to_string(repeat_with(wanted)) + "} fill=zero");
  const Request request = make_request(question, *expect(question));
  RawAnswer answer;
  answer.reply = rig.answer(backend, request);
  return observe(question, request, answer, 1000);
}

// Makes a backend that leaves an output as it is where its first byte, or its last one, is zero already.
void leave_zeros(ToyBackend& toy, bool looks_at_last) {
  toy.when_running = [&toy, looks_at_last](const certile_call& call, certile_tensor& out) {
    const std::byte seen = looks_at_last ? bytes_of(out).back() : bytes_of(out).front();
    return seen == std::byte{0} ? std::int32_t{CERTILE_OK} : toy.right_run(call, out);
  };
}

TEST(Rig, FindsWhatIsNotWrittenOverZeros) {
  for (const Prefill wanted : {Prefill::zeros_first, Prefill::zeros_behind}) {
    ToyBackend toy;
    leave_zeros(toy, wanted == Prefill::zeros_behind);
    const Observation seen = ask(toy, wanted);
    EXPECT_EQ(seen.rig, std::vector<Fault>{Fault::left_unwritten});
    EXPECT_EQ(seen.details, std::string("answered unlike before where the output held ") + in_words(wanted));
  }
}

TEST(Rig, DoesNotChargeWhatTheOutputHeldWhereEveryThirdCallIsWrong) {
  ToyBackend toy;
  int calls = 0;
  toy.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::int32_t status = toy.right_run(call, out);
    if (++calls >= 3) bytes_of(out)[0] ^= std::byte{1};
    return status;
  };
  EXPECT_EQ(ask(toy, Prefill::right_ends).rig, std::vector<Fault>{Fault::unsteady});
}

}  // namespace
}  // namespace certile::conformance
