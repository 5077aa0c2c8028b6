#include "conformance/ask/process/isolate.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "conformance/testing/asked_backend_test.hpp"

namespace certile::conformance {
namespace {

// Returns ordinary cases of different sizes, without the one that the plugins get wrong.
std::vector<std::string> ordinary_cases(std::size_t count) {
  std::vector<std::string> literals;
  for (std::size_t index = 0; index < count; ++index)
    literals.push_back("onnx-tile-13 u16[" + std::to_string(index % 37) + ",2] x i64{2,3}");
  return literals;
}

std::string start_error(const std::string& spelling) {
  const auto started = Isolate::start(isolate_options(spelling));
  return started ? "it started" : started.error().what;
}

TEST(Isolate, DescribesTheBackend) {
  AskedBackend asker("scalar");
  EXPECT_EQ(asker.asker().claim().name, "scalar");
  EXPECT_EQ(asker.asker().claim().definitions, all_definitions());
}

TEST(Isolate, AnswersManyRequestsInTheirOrder) {
  AskedBackend asker("scalar");
  const auto literals = ordinary_cases(1500);  // several batches
  const auto answers = asker.ask(literals);
  for (std::size_t index = 0; index < literals.size(); ++index)
    EXPECT_TRUE(AskedBackend::is_right(answers[index], literals[index])) << index << " " << literals[index];
}

TEST(Isolate, AnswersRefusalsStringsAndConcurrentCalls) {
  AskedBackend asker("scalar");
  for (const char* literal : {"onnx-tile-13 f32[2] x i64{-1}", "onnx-tile-13 string[3] x i64{2} fill=special",
                              "onnx-tile-13 u8[7] x i64{3} @threads=2", "openvino-tile-1 u1[3,3] x i64{1,2}"})
    EXPECT_TRUE(AskedBackend::is_right(asker.ask(literal), literal)) << literal;
}

// Tests that a crash, an early end and a closed descriptor affect one request, at any place in its batch.
TEST(Isolate, LosesOneRequestToACrash) {
  for (const std::size_t place : {std::size_t{0}, std::size_t{255}, std::size_t{256}, std::size_t{599}}) {
    AskedBackend asker(test_plugin("crash_on_one_case"));
    auto literals = ordinary_cases(600);
    literals[place] = the_case;
    const auto answers = asker.ask(literals);
    for (std::size_t index = 0; index < literals.size(); ++index)
      EXPECT_EQ(AskedBackend::is_right(answers[index], literals[index]), index != place) << index;
    EXPECT_FALSE(answers[place].reply);
    EXPECT_EQ(answers[place].end.signal, SIGABRT);
    EXPECT_EQ(answers[place].end.phase, Phase::first_run);
  }
}

TEST(Isolate, TakesAnEarlyEndForNoAnswer) {
  AskedBackend asker(test_plugin("exit_zero"));
  const auto answers = asker.ask(std::vector<std::string>{the_case, "onnx-tile-13 u8[3] x i64{2}"});
  EXPECT_FALSE(answers[0].reply);
  EXPECT_EQ(answers[0].end.signal, 0);
  EXPECT_EQ(answers[0].end.exit_code, 0);
  EXPECT_TRUE(answers[1].reply);
}

TEST(Isolate, SurvivesClosedDescriptors) {
  AskedBackend asker(test_plugin("closes_descriptors"));
  for (const char* literal : {the_case, "onnx-tile-13 u8[3] x i64{2}"})
    EXPECT_TRUE(AskedBackend::is_right(asker.ask(literal), literal));
}

TEST(Isolate, GivesUpOnACallThatTakesTooLong) {
  IsolateOptions options = isolate_options(test_plugin("hang"));
  options.time_limit = limit_of_hangs;
  AskedBackend asker(options);
  const auto answers = asker.ask({"onnx-tile-13 u8[2] x i64{2}", the_case, "onnx-tile-13 u8[3] x i64{2}"});
  EXPECT_TRUE(answers[0].reply && answers[2].reply);
  EXPECT_FALSE(answers[1].reply);
  EXPECT_TRUE(answers[1].end.timed_out);
}

TEST(Isolate, HandsOnThatMemoryIsShort) {
  if (!has_address_space_limit()) GTEST_SKIP() << "no limit of memory is in force here";
  IsolateOptions options = isolate_options(test_plugin("memory_flood"));
  options.memory_limit = std::uint64_t{1} << 30;
  options.time_limit = 100'000;  // a busy machine takes seconds to write to all of it
  AskedBackend asker(options);
  const RawAnswer answer = asker.ask(the_case);
  ASSERT_TRUE(answer.reply);
  EXPECT_EQ(answer.reply->runs[0].end, Status::no_memory);
  EXPECT_EQ(answer.reply->runs[0].message, "no memory is left");
}

TEST(Isolate, KeepsBothEndsOfWhatIsPrinted) {
  AskedBackend asker(test_plugin("writes_stdout"));
  asker.ask(ordinary_cases(600));
  EXPECT_FALSE(asker.asker().close());
  const std::string printed = asker.asker().printed();
  EXPECT_LE(printed.size(), 2 * backends::CapturedOutput::half + 60);
  EXPECT_GT(printed.size(), backends::CapturedOutput::half);
  EXPECT_TRUE(printed.starts_with("diagnostics of writes-stdout\n"));
  const std::string end = "diagnostics of writes-stdout\n{\"verdict\": \"pass\"} \033[2J\n";
  EXPECT_EQ(printed.substr(printed.size() - end.size()), end);
}

// Tests that one byte too far, on either side of either buffer, is explained.
TEST(Isolate, ExplainsAMemoryFault) {
  struct Expected {
    const char* plugin;
    Fault fault;
    std::uint32_t operand;
    std::int64_t distance;
    Phase phase;
  };
  for (const Expected& expected :
       {Expected{"one_byte_over", Fault::wrote_outside, 3, 1, Phase::first_run},
        Expected{"one_byte_before", Fault::wrote_outside, 3, -1, Phase::second_run},
        Expected{"over_reads", Fault::read_outside, 0, 1, Phase::first_run},
        Expected{"changes_input", Fault::changed_input, 0, 0, Phase::first_run}}) {
    AskedBackend asker(test_plugin(expected.plugin));
    const ChildEnd end = asker.ask("onnx-tile-13 u8[3] x i64{2}").end;
    EXPECT_EQ(end.signal, SIGSEGV) << expected.plugin;
    EXPECT_EQ(end.fault, expected.fault) << expected.plugin;
    EXPECT_EQ(end.operand, expected.operand) << expected.plugin;
    EXPECT_EQ(end.distance, expected.distance) << expected.plugin;
    EXPECT_EQ(end.phase, expected.phase) << expected.plugin;
  }
}

TEST(Isolate, ForgetsWithEachRestart) {
  AskedBackend asker(test_plugin("stateful"));
  const std::string once = "onnx-tile-13 u8[3] x i64{1}", thrice = "onnx-tile-13 u8[3] x i64{3}";
  EXPECT_TRUE(AskedBackend::is_right(asker.ask(once), once));
  EXPECT_FALSE(AskedBackend::is_right(asker.ask(thrice), thrice));
  ASSERT_TRUE(asker.asker().restart());
  EXPECT_TRUE(AskedBackend::is_right(asker.ask(thrice), thrice));
}

TEST(Isolate, TakesNoRequestThatIsLargerThanTheMemoryBetween) {
  IsolateOptions options = isolate_options("scalar");
  options.layout = {1 << 16, 1 << 20};
  AskedBackend asker(options);
  const auto too_large = asker.asker().submit(AskedBackend::request_for("onnx-tile-13 u8[70000] x i64{1}"));
  ASSERT_TRUE(too_large);
  EXPECT_FALSE(*too_large);
  const auto answer_too_large =
      asker.asker().submit(AskedBackend::request_for("onnx-tile-13 u8[1000] x i64{1000}"));
  ASSERT_TRUE(answer_too_large);
  EXPECT_FALSE(*answer_too_large);
  const std::string literal = "onnx-tile-13 u8[1000] x i64{100}";
  EXPECT_TRUE(AskedBackend::is_right(asker.ask(literal), literal));
}

TEST(Isolate, SaysWhyABackendCannotBeStarted) {
  EXPECT_EQ(start_error("sclar").rfind("no backend is called 'sclar'; known are ", 0), 0U);
  EXPECT_EQ(start_error("./none.so").rfind("./none.so: there is no such file", 0), 0U);
  const std::string crashing = test_plugin("crash_while_loading");
  EXPECT_EQ(start_error(crashing),
            crashing +
                " ended the process by signal 6 (Aborted) while it was being loaded; it printed:\n"
                "  the licence server was not found\n  ask its owner");
}

TEST(Isolate, SaysThatTheProgramItselfIsMissing) {
  if (!emulator_words().empty()) GTEST_SKIP() << "an emulator is started in its place";
  IsolateOptions options = isolate_options("scalar");
  options.program = "/no/such/certile";
  const auto started = Isolate::start(options);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().what, "cannot start a process for scalar: No such file or directory");
}

TEST(Isolate, GivesTheBackendAnEnvironmentWithoutOurs) {
  setenv("CERTILE_TEST_SECRET", "x", 1);
  AskedBackend asker("scalar");
  const auto child_of = [](const std::string& parent) {
    std::ifstream children("/proc/" + parent + "/task/" + parent + "/children");
    std::string child;
    while (children >> child) {
    }
    return child;  // the last one, because what other tests have killed may still be in the list
  };
  const std::string pid = child_of(child_of(std::to_string(getpid())));
  std::ifstream environment("/proc/" + pid + "/environ");
  const std::string all((std::istreambuf_iterator<char>(environment)), std::istreambuf_iterator<char>());
  EXPECT_FALSE(pid.empty());
  EXPECT_NE(all.find("ASAN_OPTIONS="), std::string::npos);
  EXPECT_EQ(all.find("CERTILE_TEST_SECRET"), std::string::npos);
}

}  // namespace
}  // namespace certile::conformance
