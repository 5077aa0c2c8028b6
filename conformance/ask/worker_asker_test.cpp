#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/ask/process/process_table.hpp"
#include "conformance/testing/asked_backend_test.hpp"
#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

// The case that wrong workers get wrong, and a good one.
const std::string bad_case = "openvino-tile-1 u8[7] x i64{2}";
const std::string good_case = "openvino-tile-1 f32[2,3] x i64{2,2}";
const std::string scripts = "'" CERTILE_PYTHON "' '" CERTILE_WORKERS "/test_workers/";

std::string wrong(const std::string& way) {
  return scripts + "wrong.py' " + way;
}

// Returns the spelling of the worker that adds a line to a file at each start.
std::string counted(const std::string& log, const std::string& command) {
  return "worker:echo started >> '" + log + "'; exec " + command;
}

std::size_t starts_in(const std::string& log) {
  const std::string content = file_content(log);
  return static_cast<std::size_t>(std::ranges::count(content, '\n'));
}

std::vector<std::string> good_cases(std::size_t count) {
  std::vector<std::string> literals;
  for (std::size_t index = 0; index < count; ++index)
    literals.push_back("openvino-tile-1 f32[" + std::to_string(index % 5 + 1) + ",2] x i64{2,3}");
  return literals;
}

// Asks many cases with a bad one among them, and expects every other answer to be right.  Returns the answer
// to the bad one.
RawAnswer answer_to_the_bad_one(AskedBackend& asked) {
  auto literals = good_cases(100);
  constexpr std::size_t place = 60;
  literals[place] = bad_case;
  auto answers = asked.ask(literals);
  for (std::size_t index = 0; index < literals.size(); ++index)
    if (index != place) {
      EXPECT_TRUE(AskedBackend::is_right(answers[index], literals[index])) << index << " " << literals[index];
    }
  return std::move(answers[place]);
}

TEST(WorkerAsker, AnswersManyRequestsInTheirOrder) {
  for (const char* way : {"not_at_all", "no_infer", "is_noisy"}) {
    AskedBackend asked("worker:" + wrong(way));
    const auto literals = good_cases(400);  // several windows
    const auto answers = asked.ask(literals);
    for (std::size_t index = 0; index < literals.size(); ++index)
      EXPECT_TRUE(AskedBackend::is_right(answers[index], literals[index])) << way << " " << index;
  }
}

TEST(WorkerAsker, MovesMoreThanPipesHoldInBothDirectionsAtOnce) {
  AskedBackend asked("worker:" + wrong("not_at_all"));
  const std::vector<std::string> literals(6, "openvino-tile-1 u8[700,1000] x i64{2,2}");
  const auto answers = asked.ask(literals);
  for (const RawAnswer& answer : answers)
    EXPECT_TRUE(AskedBackend::is_right(answer, literals.front()));
}

TEST(WorkerAsker, ChargesTheCallOnWhichAWorkerDies) {
  AskedBackend asked("worker:" + wrong("exits"));
  const RawAnswer answer = answer_to_the_bad_one(asked);
  EXPECT_FALSE(answer.reply);
  EXPECT_EQ(answer.end.exit_code, 3);
  EXPECT_EQ(answer.diagnostics, "this is the end\n");
}

TEST(WorkerAsker, IsStartedOnceForACallOnWhichItDies) {
  const std::string log = temporary_path(".log");
  AskedBackend asked(counted(log, wrong("exits")));
  asked.ask({good_case, good_case, bad_case, good_case});
  EXPECT_EQ(starts_in(log), 2U);
}

TEST(WorkerAsker, EndsAWorkerThatIsLateForOneCall) {
  IsolateOptions options = isolate_options("worker:" + wrong("hangs"));
  options.time_limit = limit_of_hangs;
  AskedBackend asked(options);
  EXPECT_TRUE(answer_to_the_bad_one(asked).end.timed_out);
}

TEST(WorkerAsker, AsksOneAtATimeWhereAWorkerDropsWhatItWasSentAhead) {
  const std::string log = temporary_path(".log");
  IsolateOptions options = isolate_options(counted(log, wrong("reads_too_much")));
  options.time_limit = limit_of_hangs;
  AskedBackend asked(options);
  const std::vector<std::string> literals(4, good_case);
  for (const RawAnswer& answer : asked.ask(literals))
    EXPECT_TRUE(AskedBackend::is_right(answer, good_case));
  EXPECT_EQ(starts_in(log), 2U);
}

TEST(WorkerAsker, StartsTheProgramOfAForkServerOnce) {
  const std::string log = temporary_path(".log");
  AskedBackend asked(counted(log, scripts + "forks.py' at_once"));
  std::vector<std::string> literals(20, "openvino-tile-1 u8[1,2] x i64{2,3}");
  literals[3] = literals[11] = bad_case;
  for (int round = 0; round < 2; ++round) {
    const auto answers = asked.ask(literals);
    for (std::size_t index = 0; index < literals.size(); ++index)
      EXPECT_EQ(AskedBackend::is_right(answers[index], literals[index]), index != 3 && index != 11)
          << literals[index];
    EXPECT_EQ(answers[3].end.signal, SIGSEGV);
    EXPECT_TRUE(asked.asker().restart());
  }
  EXPECT_EQ(starts_in(log), 1U);
}

TEST(WorkerAsker, EndsAForkServerWithItself) {
  const std::string log = temporary_path(".log");
  { const AskedBackend asked("worker:echo $$ > '" + log + "'; exec " + scripts + "forks.py' at_once"); }
  pid_t server = 0;
  std::ifstream(log) >> server;
  ASSERT_GT(server, 1);
  EXPECT_EQ(kill(server, 0), -1) << server;
}

// Tests with processes in a separate session, which signals to the worker's group do not reach.
TEST(WorkerAsker, LeavesNoProcessBehind) {
  const std::string mark = std::to_string(100'000'000 + getpid());
  for (const std::string& command : {wrong("exits"), wrong("hangs"), scripts + "forks.py' at_once"}) {
    {
      IsolateOptions options = isolate_options("worker:(setsid sleep " + mark + " &); exec " + command);
      options.time_limit = limit_of_hangs;
      AskedBackend asked(options);
      EXPECT_FALSE(asked.ask(bad_case).reply);
      EXPECT_LE(processes_with(mark), 3) << "its host, its shell, and what the shell left behind";
      EXPECT_TRUE(asked.asker().restart());
    }
    EXPECT_EQ(processes_with(mark), 0) << command;
  }
}

TEST(WorkerAsker, LosesOneRequestToAWorkerThatKillsItsHost) {
  const std::string mark = std::to_string(200'000'000 + getpid());
  {
    AskedBackend asked("worker:(setsid sleep " + mark + " &); exec " + wrong("kills_its_parent"));
    EXPECT_EQ(answer_to_the_bad_one(asked).end.signal, SIGKILL);
  }
  EXPECT_EQ(processes_with(mark), 0);
}

TEST(WorkerAsker, LimitsTheMemoryThatAWorkerWritesTo) {
  if (!has_address_space_limit()) GTEST_SKIP() << "nothing is limited under this sanitizer or emulator";
  const std::string log = temporary_path(".log");
  const AskedBackend asked("worker:ulimit -d > '" + log + "'; exec " + wrong("not_at_all"));
  EXPECT_EQ(file_content(log), "786432\n") << "512 MiB, and 256 MiB for what any process has";
}

TEST(WorkerAsker, GetsNoAnswerFromCertileForAWorker) {
  const std::string log = temporary_path(".log");
  const AskedBackend asked("worker:'" + program + "' list > '" + log + "' 2>&1; exec " + wrong("not_at_all"));
  EXPECT_EQ(file_content(log), "certile: refused, because a backend under judgement started it\n");
}

}  // namespace
}  // namespace certile::conformance
