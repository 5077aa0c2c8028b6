#include "conformance/ask/rig/concurrent_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "conformance/ask/observe.hpp"
#include "conformance/ask/rig/thread_state.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/testing/toy_backend_test.hpp"

namespace certile::conformance {
namespace {

const std::string on_three_threads = "onnx-tile-13 u16[5] x i64{3} @threads=3";

RunReply run_concurrently(const backends::Plugin& backend, CallClock& calls) {
  const Case question = *parse_case(on_three_threads);
  return run_concurrently(backend, make_request(question, *expect(question)), {15}, calls).run;
}

RunReply run_concurrently(const backends::Plugin& backend) {
  CallClock calls{};
  return run_concurrently(backend, calls);
}

TEST(ConcurrentRuns, GiveEachThreadTheAnswerToItsOwnData) {
  const backends::Plugin backend = scalar_backend();
  CallClock calls{};
  const RunReply reply = run_concurrently(backend, calls);
  const auto expected = std::get<Answer>(*expect(*parse_case(on_three_threads)));
  ASSERT_EQ(reply.outputs.size(), 3U);
  for (std::size_t lane = 0; lane < 3; ++lane) {
    const auto due = expected.tensors[lane].bytes();
    EXPECT_TRUE(std::equal(due.begin(), due.end(), reply.outputs[lane].begin(), reply.outputs[lane].end()));
  }
  EXPECT_NE(reply.outputs[0], reply.outputs[1]);
  EXPECT_FALSE(reply.raced || reply.changed_input);
  EXPECT_GE(calls.begun.load(), 3'000U);  // and those that are unlike them
}

TEST(ConcurrentRuns, AreFewerIfEachTakesLong) {
  ToyBackend slow;
  slow.when_running = [&slow](const certile_call& call, certile_tensor& out) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return slow.right_run(call, out);
  };
  CallClock calls{};
  const RunReply reply = run_concurrently(slow.plugin(), calls);
  EXPECT_EQ(reply.end, Status::ok);
  EXPECT_FALSE(reply.raced || reply.changed_input);
  EXPECT_GE(calls.begun.load(), 24U);   // 8 of each thread
  EXPECT_LT(calls.begun.load(), 300U);  // instead of 1,000 of each
}

TEST(ConcurrentRuns, HaveRoomForTheStringsOfEachThread) {
  for (const char* strings : {
           "openvino-tile-1 string[] x i64{3,5,3,3} fill=special:86 @threads=3",  // 1,000 characters, 0 and 1
           "openvino-tile-1 string[] x i64{} fill=bits:945971294 @threads=3",     // 1 for the first thread
           "onnx-tile-13 string[3] x i64{7} fill=special @threads=2",             // 0, 1, and 3
           "onnx-tile-13 string[0,3] x i64{7,2} @threads=2",
       }) {
    const Case question = *parse_case(strings);
    const auto expected = std::get<Answer>(*expect(question));
    const backends::Plugin backend = scalar_backend();
    CallClock calls{};
    const Request request = make_request(question, expected);
    RawAnswer answer;
    answer.reply.emplace();
    answer.reply->inferred = Status::ok;
    answer.reply->shape = expected.shape;
    answer.reply->runs[0] = run_concurrently(backend, request, expected.shape, calls).run;
    const Observation seen = observe(question, request, answer, 1000);
    EXPECT_TRUE(seen.rig.empty()) << strings << ": " << seen.details;
    ASSERT_TRUE(std::holds_alternative<Produced>(seen.outcome)) << strings;
    EXPECT_EQ(std::get<Produced>(seen.outcome).outputs, expected.tensors) << strings;
  }
}

TEST(ConcurrentRuns, FindTheOneAnswerThatDiffers) {
  ToyBackend once;
  std::atomic<int> calls{0};
  once.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::int32_t status = once.right_run(call, out);
    const bool is_own = out.element_type == CERTILE_U16 && out.byte_size == 30;
    if (status == CERTILE_OK && is_own && ++calls == 1700) bytes_of(out)[0] ^= std::byte{1};
    return status;
  };
  EXPECT_TRUE(run_concurrently(once.plugin()).raced);
}

TEST(ConcurrentRuns, GoOnBesideCallsOfAnotherShapeOtherRepeatsAndOtherTypes) {
  ToyBackend backend;
  std::atomic<bool> another = false, unrepeated = false, narrower = false, wider = false;
  backend.when_running = [&](const certile_call& call, certile_tensor& out) {
    if (call.data->shape[0] == 3) another = Shape(out.shape, out.shape + out.rank) == Shape{3, 10};
    if (out.shape[1] == 3) unrepeated = true;
    if (out.element_type != CERTILE_U16) (out.byte_size < 60 ? narrower : wider) = true;
    return backend.right_run(call, out);
  };
  const Case question = *parse_case("onnx-tile-13 u16[5,3] x i64{1,2} @threads=2");
  CallClock calls{};
  const RunReply reply =
      run_concurrently(backend.plugin(), make_request(question, *expect(question)), {5, 6}, calls).run;
  EXPECT_TRUE(another && unrepeated && narrower && wider);
  EXPECT_EQ(reply.outputs.size(), 2U);
  EXPECT_FALSE(reply.raced);
}

// A cache of a few plans gives way only where threads call what others have never called.
TEST(ConcurrentRuns, GoOnAmongCallsOfASizeThatEachThreadHasForItself) {
  ToyBackend backend;
  std::mutex mutex;
  std::set<std::int64_t> lengths;
  backend.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::lock_guard lock(mutex);
    if (call.data->shape[0] == 5) lengths.insert(call.data->shape[1]);
    return backend.right_run(call, out);
  };
  const Case question = *parse_case("onnx-tile-13 u16[5,3] x i64{1,2} @threads=3");
  Request request = make_request(question, *expect(question));
  request.in_turn = true;
  CallClock calls{};
  EXPECT_FALSE(run_concurrently(backend.plugin(), request, {5, 6}, calls).run.raced);
  for (const std::int64_t times : {1, 2, 3, 4})
    EXPECT_TRUE(lengths.contains(3 * times)) << times;
  EXPECT_GT(*lengths.rbegin(), 3'000);  // 64 KiB
}

TEST(ConcurrentInferences, BeginTogetherAndAreAlike) {
  const Case question = *parse_case("onnx-tile-13 u16[5,3] x i64{1,2} @threads=3");
  const Request request = make_request(question, *expect(question));
  CallClock calls{};
  ToyBackend right;
  ConcurrentInferred found = infer_concurrently(right.plugin(), request, calls);
  EXPECT_EQ(found.inferred.shape, (Shape{5, 6}));
  EXPECT_FALSE(found.differ);
  EXPECT_EQ(calls.begun.load(), 300U);

  ToyBackend late;
  std::atomic<int> inferences = 0;
  late.when_inferring = [&](const certile_call&, Shape& shape) {
    shape = {5, 6};
    return ++inferences == 2 ? std::int32_t{CERTILE_FAILED} : std::int32_t{CERTILE_OK};
  };
  EXPECT_TRUE(infer_concurrently(late.plugin(), request, calls).differ);
}

// What a refusal sets for the whole library, calls of others see.
TEST(ConcurrentRuns, GoOnBesideACallThatIsRefused) {
  ToyBackend backend;
  std::atomic<bool> is_refused = false;
  backend.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::int32_t status = backend.right_run(call, out);
    if (status == CERTILE_REJECTED) is_refused = true;
    return status;
  };
  const Case question = *parse_case("onnx-tile-13 u16[5,3] x i64{1,2} @threads=2");
  CallClock calls{};
  run_concurrently(backend.plugin(), make_request(question, *expect(question)), {5, 6}, calls);
  EXPECT_TRUE(is_refused);
}

TEST(ConcurrentRuns, TellWhatACallLeavesChangedInItsThread) {
  ToyBackend backend;
  std::atomic<int> under_way = 0;
  std::atomic<bool> has_met = false;
  const auto begin = std::chrono::steady_clock::now();
  backend.when_running = [&](const certile_call& call, certile_tensor& out) {
    if (under_way.fetch_add(1) > 0) has_met = true;
    while (!has_met && std::chrono::steady_clock::now() - begin < std::chrono::minutes(1))
      std::this_thread::yield();
    const std::int32_t status = backend.right_run(call, out);
    under_way.fetch_sub(1);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    if (has_met) pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    return status;
  };
  const Case question = *parse_case("onnx-tile-13 u16[5,3] x i64{1,2} @threads=2");
  CallClock calls{};
  const ThreadState before = ThreadState::now();
  const auto reply =
      run_concurrently(backend.plugin(), make_request(question, *expect(question)), {5, 6}, calls);
  before.put_back();
  EXPECT_EQ(reply.changed_state, "the blocked signals");
}

TEST(ConcurrentRuns, AreTheSameCallsOfOneThreadWhenTheyAreMadeInTurn) {
  ToyBackend backend;
  std::set<std::thread::id> threads;
  int others = 0;
  backend.when_running = [&](const certile_call& call, certile_tensor& out) {
    threads.insert(std::this_thread::get_id());
    if (out.byte_size != 60 || call.data->shape[0] == 3) ++others;
    return backend.right_run(call, out);
  };
  const Case question = *parse_case("onnx-tile-13 u16[5,3] x i64{1,2} @threads=2");
  const auto expected = std::get<Answer>(*expect(question));
  Request request = make_request(question, expected);
  request.in_turn = true;
  CallClock calls{};
  const RunReply reply = run_concurrently(backend.plugin(), request, {5, 6}, calls).run;
  EXPECT_EQ(threads, std::set<std::thread::id>{std::this_thread::get_id()});
  EXPECT_GE(others, 1'500);  // of 2,000, of which the refused ones are not run
  ASSERT_EQ(reply.outputs.size(), 2U);
  for (std::size_t lane = 0; lane < 2; ++lane)
    EXPECT_TRUE(std::ranges::equal(expected.tensors[lane].bytes(), reply.outputs[lane]));
  EXPECT_FALSE(reply.raced);
}

// Each call alone leaves every byte behind its output as it was.
TEST(ConcurrentRuns, FindACallThatPutsBackWhatItFoundBehindItsOutput) {
  ToyBackend keeper;
  // The first call of two threads lasts until the other one has changed the byte, for a minute at most.
  std::atomic<bool> is_begun = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  keeper.when_running = [&](const certile_call& call, certile_tensor& out) {
    // The unlike calls have other sizes or other repeats.
    const bool is_own = out.byte_size == 30 && *static_cast<const std::int64_t*>(call.repeats->data) == 3;
    if (!is_own) return keeper.right_run(call, out);
    std::byte& next = bytes_of(out).data()[30];
    const std::byte behind = next;
    const std::int32_t status = keeper.right_run(call, out);
    const bool waits = !is_begun.exchange(true);
    while (waits && std::atomic_ref(next) == behind && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    next = behind;
    return status;
  };
  const Case question = *parse_case("onnx-tile-13 u16[5] x i64{3} @threads=2");
  CallClock calls{};
  Request request = make_request(question, *expect(question));
  EXPECT_TRUE(run_concurrently(keeper.plugin(), request, {15}, calls).run.undid_a_change);
  request.in_turn = true;
  EXPECT_FALSE(run_concurrently(keeper.plugin(), request, {15}, calls).run.undid_a_change);
}

// Each thread's calls are fewer than its time slice holds, so on a busy machine they need not meet others.
TEST(ConcurrentRuns, GoOnForAWhileUntilCallsHaveMet) {
  ToyBackend backend;
  std::atomic<int> entered = 0, met = 0;
  backend.when_running = [&](const certile_call& call, certile_tensor& out) {
    const int before = ++entered;
    const std::int32_t status = backend.right_run(call, out);
    if (entered != before) ++met;
    return status;
  };
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(run_concurrently(backend.plugin()).raced);
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_TRUE(met > 0 || took >= std::chrono::milliseconds(20));
}

TEST(ConcurrentRuns, FindAnInputThatWasChanged) {
  ToyBackend writer;
  writer.when_running = [&](const certile_call& call, certile_tensor& out) {
    const std::int32_t status = writer.right_run(call, out);
    bytes_of(*call.data)[3] = std::byte{0x99};
    return status;
  };
  EXPECT_TRUE(run_concurrently(writer.plugin()).changed_input);
}

TEST(ConcurrentRuns, TakeTheFirstRefusalForTheAnswer) {
  ToyBackend refuser;
  refuser.why = "one at a time";
  refuser.when_running = [](const certile_call&, certile_tensor&) { return CERTILE_UNSUPPORTED; };
  const RunReply reply = run_concurrently(refuser.plugin());
  EXPECT_EQ(reply.end, Status::unsupported);
  EXPECT_EQ(reply.message, "one at a time");
  EXPECT_TRUE(reply.outputs.empty());
}

}  // namespace
}  // namespace certile::conformance
