#include "backends/worker/worker_backend.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "backends/plugin/call.hpp"
#include "backends/registry/registry.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/values/case.hpp"
#include "reference/values/definitions_test.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor_text.hpp"

namespace certile::backends {
namespace {

using namespace std::chrono_literals;
using Code = Error::Code;

// A call of the shape that the wrong workers get wrong, and one that they get right.
const std::string the_call = "openvino-tile-1 u8[7] x i64{2}";
const std::string another_call = "openvino-tile-1 f32[2,3] x i64{2,2}";

std::string wrong(const std::string& way) {
  return "'" CERTILE_PYTHON "' '" CERTILE_WORKERS "/test_workers/wrong.py' " + way;
}

std::unique_ptr<WorkerBackend> opened(const std::string& command, WorkerOptions options = {}) {
  auto worker = WorkerBackend::open(command, options);
  if (!worker) {
    ADD_FAILURE() << worker.error().what;
    return nullptr;
  }
  return *std::move(worker);
}

// Returns the worker's answer to a case, printed; or its error.
std::string given(WorkerBackend& worker, const std::string& literal) {
  const Case question = *parse_case(literal);
  const Tensor data = data_of(question);
  const auto shape = worker.infer(call_of(question, data));
  if (!shape) return "infer: " + shape.error().what;
  const auto out = worker.answer(call_of(question, data));
  if (!out) return "run: " + out.error().what;
  return to_string(*out);
}

std::string right(const std::string& literal) {
  const Case question = *parse_case(literal);
  const Tensor data = data_of(question);
  return to_string(*oracle::tile(question, data));
}

// Returns a wrong worker's answer to the call that it gets wrong.
std::string given_wrongly(const std::string& way) {
  const auto worker = opened(wrong(way), {Process::Diagnostics::kept, 2s});
  EXPECT_EQ(given(*worker, another_call), right(another_call)) << another_call;
  return given(*worker, the_call);
}

TEST(WorkerBackend, ClaimsWhatTheWorkerSays) {
  const auto worker = opened(wrong("not_at_all"));
  const Claim claim = worker->claim();
  EXPECT_EQ(claim.name, "wrong");
  EXPECT_EQ(claim.definitions, std::vector{openvino_tile_1});
  EXPECT_EQ(claim.types, (TypeSet{ElementType::f32, ElementType::i64, ElementType::u8}));
  EXPECT_TRUE(claim.infers);
  EXPECT_FALSE(claim.in_process);
}

TEST(WorkerBackend, GivesTheAnswersOfTheWorker) {
  const auto worker = opened(wrong("not_at_all"));
  for (const std::string& literal : {the_call, another_call, std::string("openvino-tile-1 i64[]{5} x i64{}"),
                                     std::string("openvino-tile-1 f32[2] x i64{0}")})
    EXPECT_EQ(given(*worker, literal), right(literal)) << literal;
}

TEST(WorkerBackend, IsNoLibraryWhateverItsCommandNames) {
  EXPECT_FALSE(is_library("worker:./mine.sh"));
  EXPECT_EQ(worker_command("worker:./mine.sh"), "./mine.sh");
  EXPECT_EQ(worker_command("scalar"), std::nullopt);
}

TEST(WorkerBackend, SaysAfterThreeStartsThatThereIsNone) {
  const auto worker = WorkerBackend::open(wrong("dies_at_start"));
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.error().code, Code::io);
  EXPECT_NE(worker.error().what.find("3 times in a row"), std::string::npos) << worker.error().what;
  EXPECT_NE(worker.error().what.find("there is no such runtime"), std::string::npos) << worker.error().what;
}

TEST(WorkerBackend, AsksWhetherAGreetingWasPrinted) {
  const auto worker = WorkerBackend::open(wrong("greets"));
  ASSERT_FALSE(worker);
  EXPECT_NE(worker.error().what.find("did your program print to stdout?"), std::string::npos)
      << worker.error().what;
}

TEST(WorkerBackend, SaysWhatAClaimLacks) {
  const auto worker = WorkerBackend::open(wrong("claims_nothing"));
  ASSERT_FALSE(worker);
  EXPECT_NE(worker.error().what.find("needs types"), std::string::npos) << worker.error().what;
}

TEST(WorkerBackend, TellsHowTheWorkerEnded) {
  const auto worker = opened(wrong("exits"));
  EXPECT_NE(given(*worker, the_call).find("ended with exit code 3"), std::string::npos);
  ASSERT_TRUE(worker->ended());
  EXPECT_EQ(WEXITSTATUS(*worker->ended()), 3);
  EXPECT_EQ(worker->diagnostics(), "this is the end\n");
}

TEST(WorkerBackend, TakesAnEndWithoutFaultForAnEnd) {
  const auto worker = opened(wrong("exits_0"));
  EXPECT_NE(given(*worker, the_call).find("ended with exit code 0"), std::string::npos);
  EXPECT_EQ(worker->ended(), 0);
}

TEST(WorkerBackend, StartsAnotherAfterAnEnd) {
  const auto worker = opened(wrong("segfaults"));
  EXPECT_NE(given(*worker, the_call).find("signal 11"), std::string::npos);
  EXPECT_EQ(given(*worker, another_call), right(another_call)) << another_call;
  EXPECT_FALSE(worker->ended());
}

TEST(WorkerBackend, SeesTheEndAlsoWhereAChildIsLeftBehind) {
  EXPECT_NE(given_wrongly("leaves_a_child").find("ended with exit code 3"), std::string::npos);
}

TEST(WorkerBackend, DoesNotWaitForOneThatHangs) {
  const auto worker = opened(wrong("hangs"), {Process::Diagnostics::kept, 100ms});
  EXPECT_EQ(given(*worker, the_call), "infer: the worker did not answer in time");
  EXPECT_FALSE(worker->ended());
}

TEST(WorkerBackend, SaysThatHalfAnAnswerCame) {
  const auto worker = opened(wrong("stops_halfway"), {Process::Diagnostics::kept, 100ms});
  EXPECT_NE(given(*worker, the_call).find("20 bytes of an answer arrived: flush"), std::string::npos);
}

TEST(WorkerBackend, AsksWhetherTheProgramPrinted) {
  EXPECT_NE(given_wrongly("prints").find("it begins with \"computin\"; did your program print to stdout?"),
            std::string::npos);
  EXPECT_NE(given_wrongly("prints_a_newline").find("did your program print to stdout?"), std::string::npos);
}

TEST(WorkerBackend, RefusesTheAnswerToAnotherQuestion) {
  EXPECT_NE(given_wrongly("another_seq").find("send back the seq of each message"), std::string::npos);
}

TEST(WorkerBackend, RefusesALengthOfTheOtherByteOrder) {
  EXPECT_NE(given_wrongly("big_endian").find("not a message"), std::string::npos);
}

TEST(WorkerBackend, RefusesWordsThatAreNumbers) {
  EXPECT_NE(given_wrongly("number_in_words").find("\"rank\" with a value that is not a string"),
            std::string::npos);
}

TEST(WorkerBackend, RefusesAnAnswerThatWasNotAskedFor) {
  const auto worker = opened(wrong("says_it_twice"), {Process::Diagnostics::kept, 2s});
  EXPECT_NE(given(*worker, the_call).find("there are bytes between two answers"), std::string::npos);
}

TEST(WorkerBackend, ReportsAnotherShapeOrTypeOfTheOutput) {
  EXPECT_EQ(given_wrongly("another_shape").substr(0, 3), "u8{");
  EXPECT_NE(given_wrongly("another_shape"), right(the_call));
  EXPECT_EQ(given_wrongly("another_type").substr(0, 3), "i8{");
  EXPECT_NE(given_wrongly("no_output").find("the tensor \"out\" is missing"), std::string::npos);
}

TEST(WorkerBackend, NamesTheStatusesWhereThereIsNone) {
  EXPECT_NE(given_wrongly("no_status").find("say ok, rejected, unsupported, no_memory or failed"),
            std::string::npos);
}

TEST(WorkerBackend, TakesARejectionForOne) {
  const auto worker = opened(wrong("rejects"));
  const Case question = *parse_case(the_call);
  const Tensor data = data_of(question);
  const auto inferred = worker->infer(call_of(question, data));
  ASSERT_FALSE(inferred);
  EXPECT_EQ(inferred.error().code, Code::rejected);
  EXPECT_EQ(inferred.error().what, "I do not like seven");
}

TEST(WorkerBackend, IsNotDisturbedByNoise) {
  const auto worker = opened(wrong("is_noisy"));
  for (int turn = 0; turn < 5; ++turn)
    EXPECT_EQ(given(*worker, the_call), right(the_call)) << the_call;
  EXPECT_EQ(worker->diagnostics().size(), 8192U);
}

TEST(WorkerBackend, HandsOnTheTimesThatAWorkerTook) {
  const auto worker = opened(wrong("not_at_all"));
  const Case question = *parse_case(the_call);
  const Tensor data = data_of(question);
  const auto nanoseconds = worker->time(call_of(question, data), 3);
  ASSERT_TRUE(nanoseconds);
  EXPECT_EQ(*nanoseconds, (std::vector<std::int64_t>{1000, 1001, 1002}));
}

TEST(WorkerBackend, GivesEachCallOfABatchItsOwnAnswer) {
  const auto worker = opened(wrong("batches"));
  std::vector<Case> questions;
  std::vector<Tensor> data;
  std::vector<Call> calls;
  std::vector<std::string> expected;
  for (int length = 1; length < 50; ++length) {
    const std::string literal = "openvino-tile-1 f32[" + std::to_string(length) + "] x i64{3}";
    questions.push_back(*parse_case(literal));
    data.push_back(data_of(questions.back()));
    expected.push_back(right(literal));
  }
  for (std::size_t index = 0; index < questions.size(); ++index)
    calls.push_back(call_of(questions[index], data[index]));
  const auto outputs = worker->answers(calls);
  ASSERT_TRUE(outputs);
  for (std::size_t index = 0; index < calls.size(); ++index) {
    const Result<Tensor>& output = (*outputs)[index];
    EXPECT_EQ(output ? to_string(*output) : output.error().what, expected[index]);
  }
}

TEST(WorkerBackend, SaysThatABatchWasAnsweredAsOneCall) {
  const auto worker = opened(wrong("ignores_batches"));
  const Case question = *parse_case(another_call);
  const Tensor data = data_of(question);
  const std::vector<Call> calls(2, call_of(question, data));
  EXPECT_FALSE(worker->answers(calls));
  EXPECT_NE(worker->misspoken().find("a batch's keys carry the number of the call"), std::string::npos);
}

}  // namespace
}  // namespace certile::backends
