#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "conformance/ask/process/process_table.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

// A long run of a copy of the plugin.  The path of the copy identifies the run's processes.
class LongRun {
 public:
  explicit LongRun(const std::string& plugin)
      : path_(temporary_path(".so")), records_(temporary_path(".jsonl")) {
    std::filesystem::copy_file(plugin, path_, std::filesystem::copy_options::overwrite_existing);
  }
  ~LongRun() {
    std::filesystem::remove(path_);
    std::filesystem::remove(records_);
  }
  std::vector<std::string> words() const {
    return program_words({"certify", path_, "--tier", "core", "--jobs", "1", "--records", records_});
  }
  const std::string& path() const { return path_; }
  const std::string& records() const { return records_; }

 private:
  std::string path_, records_;
};

TEST(Interrupt, KeepsWhatWasRecordedAndSaysIncomplete) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const LongRun long_run(example_plugin("libexample"));
    StartedProgram started(long_run.words());
    wait_for_lines(long_run.records(), 100);
    kill(started.id(), signal);
    const ProgramRun run = started.wait();
    EXPECT_EQ(run.exit_code, 130) << run.error;
    EXPECT_NE(run.out.find("INCOMPLETE"), std::string::npos) << run.out;
    std::int64_t planned = 0, recorded = 0, judged = 0;
    const auto read =
        read_records(long_run.records(), {[&](const RunHeader& header) { planned = header.planned; },
                                          [&](const Record& record) {
                                            ++recorded;
                                            if (record.now().verdict != Verdict::not_run) ++judged;
                                          }});
    EXPECT_TRUE(read) << read.error().what;
    EXPECT_EQ(recorded, planned);
    EXPECT_GE(judged, 99);
    EXPECT_LT(judged, planned);
    EXPECT_EQ(processes_with(long_run.path()), 0);
  }
}

TEST(Interrupt, ThatTheRunnerCannotNoticeLeavesNoProcess) {
  for (const char* plugin : {"hang", "leaves_process"}) {
    const LongRun long_run(test_plugin(plugin));
    StartedProgram started(long_run.words());
    wait_for_lines(long_run.records(), 1);
    kill(started.id(), SIGKILL);
    EXPECT_EQ(started.wait().exit_code, -SIGKILL);
    while (processes_with(long_run.path()) > 0)
      sched_yield();
  }
}

TEST(Interrupt, LeavesARecordThatIsKnownToBeCutShort) {
  const LongRun long_run(example_plugin("libexample"));
  StartedProgram started(long_run.words());
  wait_for_lines(long_run.records(), 100);
  kill(started.id(), SIGKILL);
  started.wait();
  const auto read = read_records(long_run.records(), {[](const RunHeader&) {}, [](const Record&) {}});
  EXPECT_FALSE(read);
}

// The time within which an interrupted program must end.  It is far shorter than the rest of the run, and
// long enough for a busy machine or a sanitizer.
constexpr auto soon = std::chrono::seconds(10);

void expect_end(StartedProgram& started, int signal) {
  const auto start = std::chrono::steady_clock::now();
  kill(started.id(), signal);
  const ProgramRun run = started.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - start, soon);
  EXPECT_EQ(run.exit_code, 130) << run.error;
  EXPECT_NE(run.error.find("interrupted"), std::string::npos) << run.error;
}

// Waits until the program is probably at work.  No program here ends by itself within minutes.
void let_it_begin() {
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
}

TEST(Interrupt, EndsTheReadingOfACorpus) {
  const std::string fifo = temporary_path(".tile");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    StartedProgram nothing_writes(program_words({"certify", "scalar", "--corpus", fifo}));
    let_it_begin();
    expect_end(nothing_writes, signal);
    const int kept_open = open(fifo.c_str(), O_RDWR | O_CLOEXEC);
    StartedProgram writer_waits(program_words({"certify", "scalar", "--corpus", fifo}));
    let_it_begin();
    expect_end(writer_waits, signal);
    close(kept_open);
  }
}

TEST(Interrupt, EndsTheMakingOfAPlan) {
  StartedProgram started(program_words({"certify", "scalar", "--tier", "smoke", "--random", "99999999"}));
  let_it_begin();
  expect_end(started, SIGINT);
}

TEST(Interrupt, EndsTheStartOfAWorker) {
  for (const char* command : {"certify", "worker-check"}) {
    const std::string worker = std::string(command) == "certify" ? "worker:sleep 100" : "sleep 100";
    StartedProgram started(program_words({command, worker}));
    let_it_begin();
    expect_end(started, SIGTERM);
  }
}

TEST(Interrupt, LeavesTheReportsOfWhatWasJudgedBefore) {
  const std::string records = temporary_path(".jsonl"), junit = temporary_path(".xml");
  StartedProgram started(
      program_words({"certify", "scalar", "worker:sleep 100", "--case", "onnx-tile-13 u8[3] x i64{2}",
                     "--records", records, "--junit", junit}));
  wait_for_lines(records, 3);
  expect_end(started, SIGINT);
  const std::string report = file_content(junit);
  EXPECT_NE(report.find("scalar"), std::string::npos) << report;
  EXPECT_NE(report.find("interrupted"), std::string::npos) << report;
}

// Each child takes a second and a half to start, and without the interrupt four more would start.
TEST(Interrupt, StartsNoChildForWhatIsNotAskedAnyMore) {
  const LongRun long_run(test_plugin("slow_to_load"));
  StartedProgram started(long_run.words());
  wait_for_lines(long_run.records(), 100);
  const auto start = std::chrono::steady_clock::now();
  kill(started.id(), SIGINT);
  EXPECT_EQ(started.wait().exit_code, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - start, soon);
  EXPECT_EQ(processes_with(long_run.path()), 0);
}

TEST(Interrupt, EndsTheLoadingOfALibrary) {
  const LongRun long_run(test_plugin("slow_to_load"));
  StartedProgram started(long_run.words());
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  const auto start = std::chrono::steady_clock::now();
  kill(started.id(), SIGINT);
  EXPECT_EQ(started.wait().exit_code, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1000));
}

}  // namespace
}  // namespace certile::conformance
