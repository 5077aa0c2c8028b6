#include "backends/worker/lives.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <memory>
#include <string>

#include "backends/worker/worker.hpp"

namespace certile::backends {
namespace {

using namespace std::chrono_literals;
using Clock = Worker::Clock;

const std::string start_printed = "the program starts\n";

std::string forks(const std::string& way) {
  return "exec '" CERTILE_PYTHON "' '" CERTILE_WORKERS "/test_workers/forks.py' " + way;
}

MessageWriter call_of_shape(const std::string& shape) {
  MessageWriter message;
  for (const auto& [name, word] : {std::pair<const char*, std::string>{"cmd", "infer"},
                                   {"op", "openvino-tile-1"},
                                   {"data.type", "u8"},
                                   {"data.shape", shape}})
    message.say(name, word);
  const std::int64_t repeat = 2, one = 1;
  message.add("repeats", {ElementType::i64, std::span(&one, 1), std::as_bytes(std::span(&repeat, 1))});
  return message;
}

// A worker and the source of its lives.
struct Subject {
  explicit Subject(const std::string& command)
      : lives(*Lives::create()), worker(command, [this](const std::string& text) {
          return Process::start({"/bin/sh", "-c", text}, lives.get());
        }) {
    const auto running = worker.start();
    EXPECT_TRUE(running) << running.error().what;
  }
  ~Subject() {
    if (lives->server() != 0) kill(lives->server(), SIGKILL);
  }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  // Returns "4": the shape that the worker infers from 2; or the error.
  std::string answer() {
    if (const auto running = worker.start(); !running) return running.error().what;
    const auto reply = worker.ask(call_of_shape("2"), Clock::now() + 20s);
    if (!reply) return reply.error().what;
    const std::string* shape = reply->word("shape");
    return shape == nullptr ? "no shape" : *shape;
  }
  // Returns how a request that ends the worker is answered.
  std::string end(std::chrono::milliseconds limit = 20s) {
    const auto reply = worker.ask(call_of_shape("7"), Clock::now() + limit);
    return reply ? "it answered" : reply.error().what;
  }

  std::unique_ptr<Lives> lives;
  Worker worker;
};

TEST(Lives, AreForkedWhereTheWorkerTakesUpTheOffer) {
  Subject subject(forks("at_once"));
  EXPECT_GT(subject.lives->server(), 1);
  EXPECT_EQ(subject.answer(), "4");
}

TEST(Lives, EndAsTheirProcessDoes) {
  Subject subject(forks("at_once"));
  EXPECT_EQ(subject.end(), "the worker ended with signal 11 (Segmentation fault)");
  ASSERT_TRUE(subject.worker.wait_status());
  EXPECT_EQ(WTERMSIG(*subject.worker.wait_status()), SIGSEGV);
}

TEST(Lives, FollowEachOtherWithoutAnotherStartOfTheProgram) {
  Subject subject(forks("at_once"));
  EXPECT_EQ(subject.worker.diagnostics(), start_printed);
  for (int life = 0; life < 3; ++life) {
    subject.end();
    EXPECT_EQ(subject.answer(), "4") << "life " << life;
    EXPECT_EQ(subject.worker.diagnostics(), "") << "life " << life;
  }
}

TEST(Lives, FollowOneThatHadToBeEnded) {
  Subject subject(forks("hangs"));
  EXPECT_EQ(subject.end(100ms), "the worker did not answer in time");
  EXPECT_EQ(subject.answer(), "4");
  EXPECT_EQ(subject.worker.diagnostics(), "");
}

TEST(Lives, AreStartsOfTheProgramWhereTheForkServerIsGone) {
  Subject subject(forks("server_ends"));
  for (int life = 0; life < 2; ++life) {
    subject.end();
    EXPECT_EQ(subject.answer(), "4") << "life " << life;
    EXPECT_EQ(subject.worker.diagnostics(), start_printed) << "life " << life;
  }
}

TEST(Lives, AreStartsOfTheProgramWhereTheForkServerRefuses) {
  Subject subject(forks("refuses"));
  const pid_t server = subject.lives->server();
  subject.end();
  EXPECT_EQ(subject.answer(), "4");
  EXPECT_EQ(subject.worker.diagnostics(), start_printed);
  kill(server, SIGKILL);
}

TEST(Lives, AreStartsOfTheProgramWhereItTakesUpNothing) {
  Subject subject("exec '" CERTILE_PYTHON "' '" CERTILE_WORKERS "/test_workers/wrong.py' segfaults");
  EXPECT_EQ(subject.lives->server(), 0);
  EXPECT_EQ(subject.end(), "the worker ended with signal 11 (Segmentation fault)");
  EXPECT_EQ(subject.answer(), "4");
}

TEST(Lives, AreNotOfferedToAProgramThatAWorkerStarts) {
  setenv("CERTILE_LIVES", "3", 1);
  const auto process = Process::start({"/bin/sh", "-c", "echo \"[$CERTILE_LIVES]\""});
  unsetenv("CERTILE_LIVES");
  ASSERT_TRUE(process);
  ASSERT_EQ((*process)->receive(3, Clock::now() + 20s), Process::Exchange::done);
  const auto said = (*process)->take(3);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(said.data()), said.size()), "[]\n");
}

}  // namespace
}  // namespace certile::backends
