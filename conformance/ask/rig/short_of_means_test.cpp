// Tests that no backend is accused where the system denies certile threads, memory, stack or time.
#include <gtest/gtest.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "conformance/ask/observe.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/run/runs_test.hpp"
#include "conformance/run/session.hpp"
#include "conformance/testing/asked_backend_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "conformance/testing/toy_backend_test.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Returns the bytes that this process may write to now, as the limit counts them.
std::size_t data_of_this_process() {
  std::ifstream status("/proc/self/status");
  std::size_t kibibytes = 0;
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmData:", 0) == 0) kibibytes = std::stoul(line.substr(7));
  return kibibytes * 1024;
}

// Sets stacks of 24 MiB, larger than the stacks of ended threads that the C library reuses.
void give_threads_large_stacks() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 24 * mebibyte);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

// Returns the observation of a right backend in a process that may write to `room` more bytes.
std::string seen_with_room(const std::string& literal, std::size_t room) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    give_threads_large_stacks();
    const Case question = *parse_case(literal);
    ControlBlock control{};
    const Request request = make_request(question, *expect(question));
    auto rig = Rig::create(64 * mebibyte, control);
    ToyBackend toy;
    // What other tests of this process have freed is no room.
    malloc_trim(0);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    const rlimit limit{data_of_this_process() + room, RLIM_INFINITY};
    setrlimit(RLIMIT_DATA, &limit);
    RawAnswer answer;
    answer.reply = rig->answer(toy, request);
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_DATA, &none);
    const Observation seen = observe(question, request, answer, 1000);
    const auto* not_asked = std::get_if<NotAsked>(&seen.outcome);
    std::string words = not_asked != nullptr ? "not asked: " + not_asked->why : "asked";
    if (!seen.rig.empty()) words += ", and accused";
    _exit(write(ends[1], words.data(), words.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string words;
  char piece[256];
  for (ssize_t got = 0; (got = read(ends[0], piece, sizeof piece)) > 0;)
    words.append(piece, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status));
  return words;
}

TEST(ShortOfMeans, SaysHowManyThreadsThereWere) {
  if (!has_address_space_limit()) GTEST_SKIP() << "no limit of memory is in force here";
  // Two stacks fit, and a third does not.
  EXPECT_EQ(seen_with_room("onnx-tile-13 f32[7,9] x i64{3,2} @threads=4", 60 * mebibyte),
            "not asked: the system gave 2 of 4 threads: Resource temporarily unavailable");
}

TEST(ShortOfMeans, SaysThatMemoryForAnOutputIsMissing) {
  if (!has_address_space_limit()) GTEST_SKIP() << "no limit of memory is in force here";
  const std::string literal = "onnx-tile-13 u8[1] x i64{50000000}";
  EXPECT_EQ(seen_with_room(literal, 10 * mebibyte),
            "not asked: certile had no memory left to make this call, or to check its answer");
  // One copy fits, and two copies may not.
  EXPECT_EQ(seen_with_room(literal, 60 * mebibyte), "asked");
}

TEST(ShortOfMeans, SaysThatMemoryForTheThreadsOutputsIsMissing) {
  if (!has_address_space_limit()) GTEST_SKIP() << "no limit of memory is in force here";
  EXPECT_EQ(seen_with_room("onnx-tile-13 u8[1] x i64{9000000} @threads=2", 68 * mebibyte),
            "not asked: certile had no memory left to make this call, or to check its answer");
}

TEST(ShortOfMeans, RunsNoThreadWhereOneIsMissing) {
  if (!has_address_space_limit()) GTEST_SKIP() << "no limit of memory is in force here";
  const pid_t child = fork();
  if (child == 0) {
    give_threads_large_stacks();
    const Case question = *parse_case("onnx-tile-13 f32[7,9] x i64{3,2} @threads=4");
    ControlBlock control{};
    const Request request = make_request(question, *expect(question));
    auto rig = Rig::create(mebibyte, control);
    ToyBackend toy;
    const rlimit limit{data_of_this_process() + 60 * mebibyte, RLIM_INFINITY};
    setrlimit(RLIMIT_DATA, &limit);
    static_cast<void>(rig->answer(toy, request));
    _exit(toy.runs == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// Tests that a call that leaves no memory costs the next one a fresh process, not its verdict.
TEST(ShortOfMeans, AsksAgainWhereEarlierCallsTookTheMemory) {
  if (!has_address_space_limit()) GTEST_SKIP() << "no limit of memory is in force here";
  IsolateOptions options = isolate_options(CERTILE_HOSTILE "/H44.so");
  options.layout.reply_bytes = 64 * mebibyte;
  AskedBackend asker(options);
  const std::string large = "onnx-tile-13 u8[1] x i64{20000000}";
  const auto answers = asker.ask({"onnx-tile-13 f32[2,3] x i64{2,2}", large});
  ASSERT_TRUE(answers[0].reply && answers[1].reply);
  EXPECT_EQ(answers[0].reply->runs[0].end, Status::no_memory);
  EXPECT_TRUE(AskedBackend::is_right(answers[1], large));
}

TEST(ShortOfMeans, DoesNotCountItsOwnCopiesAgainstTheLimitOfMemory) {
  if (!has_address_space_limit()) GTEST_SKIP() << "no limit of memory is in force here";
  RunOptions options = run_options("scalar");
  options.isolate.memory_limit = 16 * mebibyte;
  options.isolate.time_limit = 60'000;
  for (const char* literal :
       {"openvino-tile-1 u8[1] x i64{200000000}", "openvino-tile-1 u8[150000000] x i64{1}"}) {
    const auto records = records_of(plan_of({literal}), options);
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].now().verdict, Verdict::pass) << literal << ": " << records[0].now().words;
  }
}

TEST(ShortOfMeans, NeedsNoMoreStackThanItHas) {
  if (!emulator_words().empty()) GTEST_SKIP() << "the emulator has a stack of its own";
  for (const char* limit : {"64", "1500000"}) {
    const std::string script = std::string("ulimit -s ") + limit + " || exit 77; exec \"$0\" \"$@\"";
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"run", "scalar", "onnx-tile-13 f32[7,9] x i64{3,2} @threads=4"},
          std::vector<std::string>{"certify", "scalar", "--tier", "smoke", "--jobs", "2", "--case",
                                   "onnx-tile-13 f32[7,9] x i64{3,2} @threads=4"}}) {
      std::vector<std::string> words{"/bin/sh", "-c", script, program};
      words.insert(words.end(), arguments.begin(), arguments.end());
      const ProgramRun run = StartedProgram(words).wait();
      if (run.exit_code == 77) GTEST_SKIP() << "this user may not have a stack of " << limit << " KiB";
      EXPECT_EQ(run.exit_code, 0) << limit << ": " << run.out << run.error;
    }
  }
}

// 4 million views: poisoning, reading and comparing them takes far longer than writing them.
const std::string many_strings = "onnx-tile-13 string[20000] x i64{200}";

TEST(ShortOfMeans, GivesTheTimeLimitToTheBackendAlone) {
  RunOptions options = run_options(example_plugin("libexample"));
  options.isolate.time_limit = 1000;
  const auto records = records_of(plan_of({many_strings}), options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].now().verdict, Verdict::pass) << records[0].now().words;
}

TEST(ShortOfMeans, ChargesNobodyWithTheRigsOwnTime) {
  IsolateOptions options = isolate_options(example_plugin("libexample"));
  options.rig_limit = 20;
  options.layout.reply_bytes = 512 * mebibyte;
  AskedBackend asker(options);
  RawAnswer answer = asker.ask(many_strings);
  ASSERT_FALSE(answer.reply);
  EXPECT_TRUE(answer.end.rig_timed_out);
  EXPECT_FALSE(answer.end.timed_out);
  const Case question = *parse_case(many_strings);
  const Observation seen = observe(question, AskedBackend::request_for(many_strings), answer, 1000);
  const auto* not_asked = std::get_if<NotAsked>(&seen.outcome);
  ASSERT_NE(not_asked, nullptr);
  EXPECT_EQ(not_asked->why, "certile took too long to lay out this call's memory, or to check its answer");
}

TEST(ShortOfMeans, CountsTheCharactersOfStrings) {
  const std::string characters(3000, 'x');
  const std::string copies = std::to_string(largest_answer() / 3000 + 1);
  const auto records =
      records_of("scalar", {"onnx-tile-13 string[1]{\"" + characters + "\"} x i64{" + copies + "}"});
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].now().verdict, Verdict::not_run);
  EXPECT_EQ(records[0].now().words, "the answer is too large to be judged on this machine");
}

}  // namespace
}  // namespace certile::conformance
