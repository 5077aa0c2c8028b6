// Kills runs, and goes on with what they recorded.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "conformance/testing/quick_runs_test.hpp"

namespace certile::conformance {
namespace {

std::string whole_records(const Words& run, int exit_code) {
  const std::string path = temporary_path("whole.jsonl");
  const ProgramRun done =
      run_program(with_words(with_words({"certify"}, run), {"--records", path, "--quiet"}));
  EXPECT_EQ(done.exit_code, exit_code) << done.error;
  return file_content(path);
}

ProgramRun resumed(const Words& run, const std::string& path) {
  return run_program(with_words(with_words({"certify"}, run), {"--resume", path, "--quiet"}));
}

// Expects the whole records from those that were cut off after each of these shares of the file.
void expect_the_whole_of_every_part(const Words& run, int exit_code, const std::vector<double>& shares) {
  const std::string whole = whole_records(run, exit_code), path = temporary_path("cut.jsonl");
  for (const double share : shares) {
    const auto size = static_cast<std::size_t>(static_cast<double>(whole.size()) * share);
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    const ProgramRun done = resumed(run, path);
    EXPECT_EQ(done.exit_code, exit_code) << done.error;
    EXPECT_TRUE(file_content(path) == whole) << "cut after " << size << " bytes";
  }
}

TEST(Resume, CompletesTheRecordsOfAnyPart) {
  expect_the_whole_of_every_part(with_words(quick_run, {"--jobs", "1"}), 0,
                                 {0.0, 0.0001, 0.2, 0.95, 0.9999, 1.0});
}

TEST(Resume, CompletesTheRecordsOfAFailingRun) {
  expect_the_whole_of_every_part(with_words(quick_failing_run, {"--jobs", "2"}), 1, {0.3, 0.95});
}

TEST(Resume, CompletesTheRecordsOfAShard) {
  expect_the_whole_of_every_part(with_words(quick_run, {"--shard", "2/3", "--jobs", "2"}), 0, {0.1, 0.7});
}

// This run has two places at which it can go on, after 4,096 cases each.
TEST(Resume, DoesNotAskAgainWhatIsRecorded) {
  const Words run{"scalar", "--tier", "smoke", "--definition", "onnx-tile-1", "--jobs", "1"};
  const std::string whole = whole_records(run, 0), path = temporary_path("cut.jsonl");
  std::ofstream(path, std::ios::binary) << whole.substr(0, whole.size() * 98 / 100);
  const ProgramRun done = resumed(run, path);
  EXPECT_NE(done.error.find("goes on after 8,192 of "), std::string::npos) << done.error;
  EXPECT_TRUE(file_content(path) == whole);
}

// A run of five thousand cases, the last of which waits until it is released.
class WaitingRun : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream lines(corpus_);
    for (int length = 1; length <= 500; ++length)
      for (int repeat = 1; repeat <= 10; ++repeat)
        lines << "onnx-tile-13 u8[" << length << "] x i64{" << repeat << "}\n";
    lines << "onnx-tile-13 u8[501] x i64{2}\n";
  }
  void release() const { std::ofstream{released_}; }

  const std::string corpus_ = temporary_path(".tile"), released_ = temporary_path(".released");
  const Words run_{test_plugin("waits_for_another_process"),
                   "--corpus",
                   corpus_,
                   "--env",
                   "CERTILE_TEST_FILE=" + released_,
                   "--time-limit",
                   "600",
                   "--jobs",
                   "2"};
};

TEST_F(WaitingRun, GoesOnAfterKills) {
  const std::string path = temporary_path("killed.jsonl");
  for (const long lines : {1L, 1L, 4'000L, 4'000L}) {
    StartedProgram started(
        program_words(with_words(with_words({"certify"}, run_), {"--resume", path, "--quiet"})));
    wait_for_lines(path, lines);
    kill(started.id(), SIGKILL);
    started.wait();
  }
  release();
  const ProgramRun done = resumed(run_, path);
  EXPECT_EQ(done.exit_code, 0) << done.error;
  EXPECT_TRUE(file_content(path) == whole_records(run_, 0));
}

TEST_F(WaitingRun, GoesOnAfterAnInterruption) {
  const std::string path = temporary_path("interrupted.jsonl");
  StartedProgram started(
      program_words(with_words(with_words({"certify"}, run_), {"--resume", path, "--quiet"})));
  wait_for_lines(path, 1);
  kill(started.id(), SIGTERM);
  EXPECT_EQ(started.wait().exit_code, 130);
  EXPECT_NE(file_content(path).find("the run was stopped before"), std::string::npos);
  release();
  const ProgramRun done = resumed(run_, path);
  EXPECT_EQ(done.exit_code, 0) << done.error;
  EXPECT_TRUE(file_content(path) == whole_records(run_, 0));
}

TEST(Resume, LeavesTheRecordsOfAnotherRunAsTheyAre) {
  const Words run{"scalar", "--case", "onnx-tile-13 u8[3] x i64{2}"};
  const std::string whole = whole_records(run, 0), path = temporary_path("other.jsonl");
  const std::vector<std::pair<Words, const char*>> others{
      {with_words(run, {"--seed", "2"}), "is of another run: its seed is 1, and not 2"},
      {with_words(run, {"--shard", "1/2"}), "is of another run: of the whole plan"},
      {with_words(run, {"--case", "onnx-tile-13 u8[4] x i64{2}"}), "is of another run: its list of cases"},
      {{"simd", "--case", "onnx-tile-13 u8[3] x i64{2}"}, "is of another run: its claim is another"},
  };
  for (const auto& [other, sentence] : others) {
    std::ofstream(path, std::ios::binary) << whole;
    const ProgramRun done = resumed(other, path);
    EXPECT_EQ(done.exit_code, 2) << sentence;
    EXPECT_NE(done.error.find(sentence), std::string::npos) << done.error;
    EXPECT_TRUE(file_content(path) == whole);
  }
  for (const char* content : {"hello\n", "hello", "{\"header\":1}\n"}) {
    std::ofstream(path, std::ios::binary) << content;
    EXPECT_EQ(resumed(run, path).exit_code, 2) << content;
    EXPECT_EQ(file_content(path), content);
  }
}

TEST(Resume, DoesNotTrustARecordThatItWouldWriteInAnotherWay) {
  const Words run{"scalar", "--case", "onnx-tile-13 u8[3] x i64{2}"};
  const std::string whole = whole_records(run, 0), path = temporary_path("changed.jsonl");
  std::string changed = whole.substr(0, whole.find("{\"footer"));
  const std::size_t at = changed.find("\"exercised\":[");
  ASSERT_NE(at, std::string::npos);
  changed.insert(at, " ");
  std::ofstream(path, std::ios::binary) << changed;
  EXPECT_EQ(resumed(run, path).exit_code, 0);
  EXPECT_TRUE(file_content(path) == whole);
}

}  // namespace
}  // namespace certile::conformance
