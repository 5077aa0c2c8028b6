#include "backends/worker/worker.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <string>
#include <vector>

#include "backends/registry/registry.hpp"
#include "backends/worker/calls.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/values/case.hpp"
#include "reference/values/definitions_test.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {
namespace {

using namespace std::chrono_literals;

// A call of the shape that the wrong workers get wrong, and one that they get right.
const std::string the_call = "openvino-tile-1 u8[7] x i64{2}";
const std::string another_call = "openvino-tile-1 f32[2,3] x i64{2,2}";

std::string wrong(const std::string& way) {
  return "'" CERTILE_PYTHON "' '" CERTILE_WORKERS "/test_workers/wrong.py' " + way;
}

// A worker without a host.
class Asked {
 public:
  explicit Asked(const std::string& command, std::chrono::milliseconds limit = 20s)
      : worker_(command,
                [](const std::string& text) {
                  return Process::start({"/bin/sh", "-c", text});
                }),
        limit_(limit) {}

  Worker& worker() { return worker_; }

  // Starts the worker if it does not run, and sends a call.
  Result<Message> ask(std::string_view command, const std::string& literal) {
    if (auto started = worker_.start(); !started) return started.error();
    const Case question = *parse_case(literal);
    const Tensor data = data_of(question);
    MessageWriter message;
    add_call(message, command, question, data);
    return worker_.ask(std::move(message), Worker::Clock::now() + limit_);
  }
  Result<Shape> infer(const std::string& literal) {
    const auto answer = ask("infer", literal);
    return answer ? inferred_in(*answer) : answer.error();
  }

 private:
  Worker worker_;
  std::chrono::milliseconds limit_;
};

// Returns the worker's answer to a case, printed; or its error.
std::string given(Asked& asked, const std::string& literal) {
  const auto shape = asked.infer(literal);
  if (!shape) return "infer: " + shape.error().what;
  const auto answer = asked.ask("run", literal);
  if (!answer) return "run: " + answer.error().what;
  const auto out = output_in(*answer);
  return out ? to_string(*out) : "run: " + out.error().what;
}

// Returns why the worker does not start.
std::string start_error(const std::string& command) {
  Asked asked(command);
  const auto started = asked.worker().start();
  if (started) return "it started";
  EXPECT_EQ(started.error().code, Error::Code::io);
  return started.error().what;
}

std::string right(const std::string& literal) {
  const Case question = *parse_case(literal);
  const Tensor data = data_of(question);
  return to_string(*oracle::tile(question, data));
}

// Returns a wrong worker's answer to the call that it gets wrong.
std::string given_wrongly(const std::string& way) {
  Asked asked(wrong(way));
  EXPECT_EQ(given(asked, another_call), right(another_call)) << another_call;
  return given(asked, the_call);
}

TEST(Worker, ClaimsWhatItsHelloSays) {
  Asked asked(wrong("not_at_all"));
  ASSERT_TRUE(asked.worker().start());
  const Claim& claim = asked.worker().claim();
  EXPECT_EQ(claim.name, "wrong");
  EXPECT_EQ(claim.definitions, std::vector{openvino_tile_1});
  EXPECT_EQ(claim.types, (TypeSet{ElementType::f32, ElementType::i64, ElementType::u8}));
  EXPECT_TRUE(claim.infers);
}

TEST(Worker, GivesItsAnswers) {
  Asked asked(wrong("not_at_all"));
  for (const std::string& literal : {the_call, another_call, std::string("openvino-tile-1 i64[]{5} x i64{}"),
                                     std::string("openvino-tile-1 f32[2] x i64{0}")})
    EXPECT_EQ(given(asked, literal), right(literal)) << literal;
}

// It sends 6 GiB where 14 bytes are right.
TEST(Worker, SendsNoMoreThanAnAnswerToTheMessageCanHave) {
  EXPECT_EQ(
      given_wrongly("sends_far_too_much"),
      "run: the answer would have 6442450944 bytes of tensors, and an answer to this message has at most "
      "67108878");
}

TEST(Worker, IsNoLibraryWhateverItsCommandNames) {
  EXPECT_FALSE(is_library("worker:./mine.sh"));
  EXPECT_EQ(worker_command("worker:./mine.sh"), "./mine.sh");
  EXPECT_EQ(worker_command("scalar"), std::nullopt);
}

TEST(Worker, SaysAfterThreeStartsThatThereIsNone) {
  const std::string why = start_error(wrong("dies_at_start"));
  EXPECT_NE(why.find("3 times in a row"), std::string::npos) << why;
  EXPECT_NE(why.find("there is no such runtime"), std::string::npos) << why;
}

TEST(Worker, AsksWhetherAGreetingWasPrinted) {
  const std::string why = start_error(wrong("greets"));
  EXPECT_NE(why.find("did your program print to stdout?"), std::string::npos) << why;
}

TEST(Worker, SaysWhatAClaimLacks) {
  const std::string why = start_error(wrong("claims_nothing"));
  EXPECT_NE(why.find("needs types"), std::string::npos) << why;
}

TEST(Worker, TellsHowItEnded) {
  Asked asked(wrong("exits"));
  EXPECT_NE(given(asked, the_call).find("ended with exit code 3"), std::string::npos);
  EXPECT_EQ(asked.worker().lost(), Worker::Lost::ended);
  ASSERT_TRUE(asked.worker().wait_status());
  EXPECT_EQ(WEXITSTATUS(*asked.worker().wait_status()), 3);
  EXPECT_EQ(asked.worker().diagnostics(), "this is the end\n");
}

TEST(Worker, TakesAnEndWithoutFaultForAnEnd) {
  Asked asked(wrong("exits_0"));
  EXPECT_NE(given(asked, the_call).find("ended with exit code 0"), std::string::npos);
  EXPECT_EQ(asked.worker().lost(), Worker::Lost::ended);
  EXPECT_EQ(asked.worker().wait_status(), 0);
}

TEST(Worker, StartsAgainAfterAnEnd) {
  Asked asked(wrong("segfaults"));
  EXPECT_NE(given(asked, the_call).find("signal 11"), std::string::npos);
  EXPECT_EQ(given(asked, another_call), right(another_call)) << another_call;
  EXPECT_EQ(asked.worker().lost(), Worker::Lost::nothing);
}

TEST(Worker, SeesTheEndAlsoWhereAChildIsLeftBehind) {
  EXPECT_NE(given_wrongly("leaves_a_child").find("ended with exit code 3"), std::string::npos);
}

TEST(Worker, IsNotWaitedForWhenItHangs) {
  Asked asked(wrong("hangs"), 100ms);
  EXPECT_EQ(given(asked, the_call), "infer: the worker did not answer in time");
  EXPECT_EQ(asked.worker().lost(), Worker::Lost::late);
}

TEST(Worker, SaysThatHalfAnAnswerCame) {
  Asked asked(wrong("stops_halfway"), 2s);
  EXPECT_NE(given(asked, the_call).find("20 bytes of an answer arrived: flush"), std::string::npos);
}

TEST(Worker, AsksWhetherTheProgramPrinted) {
  EXPECT_NE(given_wrongly("prints").find("it begins with \"computin\"; did your program print to stdout?"),
            std::string::npos);
  EXPECT_NE(given_wrongly("prints_a_newline").find("did your program print to stdout?"), std::string::npos);
}

TEST(Worker, RefusesTheAnswerToAnotherQuestion) {
  EXPECT_NE(given_wrongly("another_seq").find("send back the seq of each message"), std::string::npos);
}

TEST(Worker, RefusesALengthOfTheOtherByteOrder) {
  EXPECT_NE(given_wrongly("big_endian").find("not a message"), std::string::npos);
}

TEST(Worker, RefusesWordsThatAreNumbers) {
  EXPECT_NE(given_wrongly("number_in_words").find("\"rank\" with a value that is not a string"),
            std::string::npos);
}

TEST(Worker, RefusesAnAnswerThatWasNotAskedFor) {
  Asked asked(wrong("says_it_twice"));
  EXPECT_NE(given(asked, the_call).find("there are bytes between two answers"), std::string::npos);
}

TEST(Worker, ReportsAnotherShapeOrTypeOfTheOutput) {
  EXPECT_EQ(given_wrongly("another_shape").substr(0, 3), "u8{");
  EXPECT_NE(given_wrongly("another_shape"), right(the_call));
  EXPECT_EQ(given_wrongly("another_type").substr(0, 3), "i8{");
  EXPECT_NE(given_wrongly("no_output").find("the tensor \"out\" is missing"), std::string::npos);
}

TEST(Worker, NamesTheStatusesWhereThereIsNone) {
  EXPECT_NE(given_wrongly("no_status").find("say ok, rejected, unsupported, no_memory or failed"),
            std::string::npos);
}

TEST(Worker, TakesARejectionForOne) {
  Asked asked(wrong("rejects"));
  const auto inferred = asked.infer(the_call);
  ASSERT_FALSE(inferred);
  EXPECT_EQ(inferred.error().code, Error::Code::rejected);
  EXPECT_EQ(inferred.error().what, "I do not like seven");
}

TEST(Worker, IsNotDisturbedByNoise) {
  Asked asked(wrong("is_noisy"));
  for (int turn = 0; turn < 5; ++turn)
    EXPECT_EQ(given(asked, the_call), right(the_call)) << the_call;
  EXPECT_NE(asked.worker().diagnostics().find("bytes are left out here"), std::string::npos);
}

}  // namespace
}  // namespace certile::backends
