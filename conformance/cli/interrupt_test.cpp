#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/ask/process/process_table.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

// A long run of a copy of the plugin.  The folder of the copy identifies the run's processes.
class LongRun {
 public:
  explicit LongRun(const std::string& plugin)
      : folder_(temporary_path(".folder")),
        path_(folder_ + "/" + std::filesystem::path(plugin).filename().string()),
        records_(folder_ + "/records.jsonl") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    std::filesystem::copy_file(plugin, path_);
  }
  ~LongRun() { std::filesystem::remove_all(folder_); }
  std::vector<std::string> words() const {
    return program_words({"certify", path_, "--tier", "core", "--jobs", "1", "--records", records_});
  }
  const std::string& path() const { return path_; }
  const std::string& records() const { return records_; }
  // Files of a plugin that counts its loads: a byte for each, and one that lets it hang in them.
  std::string loads_file() const { return path_ + ".loads"; }
  std::string hangs_file() const { return path_ + ".hangs"; }
  std::size_t loads() const { return file_content(loads_file()).size(); }

 private:
  std::string folder_, path_, records_;
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
    wait_until([&] { return processes_with(long_run.path()) == 0; }, "the end of its processes");
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

// The time limit of an interrupted program: a hundred times what it needs, and less than a worker's limit for
// its start, or a library's.
constexpr auto soon = std::chrono::seconds(20);

void expect_end(StartedProgram& started, int signal) {
  kill(started.id(), signal);
  const ProgramRun run = started.wait(soon);
  EXPECT_EQ(run.exit_code, 130) << run.error;
  EXPECT_NE(run.error.find("interrupted"), std::string::npos) << run.error;
}

std::string proc(const StartedProgram& started, const char* file) {
  return "/proc/" + std::to_string(started.id()) + '/' + file;
}

bool listens_to_signals(const StartedProgram& started) {
  const std::string status = file_content(proc(started, "status"));
  const std::size_t caught = status.find("SigCgt:");
  return caught != status.npos && (std::stoull(status.substr(caught + 7), nullptr, 16) & 1U << (SIGINT - 1));
}

// Returns the processor time that the program has used.
long ticks_of(const StartedProgram& started) {
  const std::string stat = file_content(proc(started, "stat"));
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
  std::string field;
  for (int before = 0; before < 11; ++before)
    fields >> field;
  long user = 0, system = 0;
  fields >> user >> system;
  return user + system;
}

// Waits until the program has used no time of the processor for a while since it began to listen to signals.
// Its descriptors are for root alone to see.
void wait_until_it_waits(const StartedProgram& started) {
  wait_until([&] { return listens_to_signals(started); }, "the program to listen to signals");
  long before = -1;
  int idle = 0;
  const auto waits = [&] {
    const long now = ticks_of(started);
    idle = std::exchange(before, now) == now ? idle + 1 : 0;
    return idle == 30;
  };
  wait_until(waits, "the program to wait");
}

// Waits until the program has used a fifth of a second of the processor since it began to listen to signals.
void wait_until_at_work(const StartedProgram& started) {
  wait_until([&] { return listens_to_signals(started); }, "the program to listen to signals");
  const long before = ticks_of(started);
  wait_until([&] { return ticks_of(started) - before >= sysconf(_SC_CLK_TCK) / 5; }, "the program to work");
}

TEST(Interrupt, EndsTheReadingOfACorpus) {
  const std::string fifo = temporary_path(".tile");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    StartedProgram nothing_writes(program_words({"certify", "scalar", "--corpus", fifo}));
    wait_until_it_waits(nothing_writes);
    expect_end(nothing_writes, signal);
    const int kept_open = open(fifo.c_str(), O_RDWR | O_CLOEXEC);
    StartedProgram writer_waits(program_words({"certify", "scalar", "--corpus", fifo}));
    wait_until_it_waits(writer_waits);
    expect_end(writer_waits, signal);
    close(kept_open);
  }
}

// The whole plan takes minutes.
TEST(Interrupt, EndsTheMakingOfAPlan) {
  StartedProgram started(program_words({"certify", "scalar", "--tier", "smoke", "--random", "99999999"}));
  wait_until_at_work(started);
  expect_end(started, SIGINT);
}

TEST(Interrupt, EndsTheStartOfAWorker) {
  const std::string length = std::to_string(300'000'000 + getpid()),
                    sleeper = std::string("sleep\0", 6) + length;
  for (const std::string command : {"certify", "worker-check"}) {
    const std::string worker = (command == "certify" ? "worker:sleep " : "sleep ") + length;
    StartedProgram started(program_words({command, worker}));
    wait_until([&] { return processes_with(sleeper) > 0; }, "the worker");
    expect_end(started, SIGTERM);
    wait_until([&] { return processes_with(sleeper) == 0; }, "the end of the worker");
  }
}

TEST(Interrupt, LeavesTheReportsOfWhatWasJudgedBefore) {
  const std::string records = temporary_path(".jsonl"), junit = temporary_path(".xml");
  StartedProgram started(
      program_words({"certify", "scalar", "worker:sleep 1000", "--case", "onnx-tile-13 u8[3] x i64{2}",
                     "--records", records, "--junit", junit}));
  wait_for_lines(records, 3);
  expect_end(started, SIGINT);
  const std::string report = file_content(junit);
  EXPECT_NE(report.find("scalar"), std::string::npos) << report;
  EXPECT_NE(report.find("interrupted"), std::string::npos) << report;
}

// Without the interrupt hundreds would follow.  One may be under way when the signal comes.
TEST(Interrupt, StartsNoChildForWhatIsNotAskedAnyMore) {
  const LongRun long_run(test_plugin("counts_its_loads"));
  StartedProgram started(long_run.words());
  wait_for_lines(long_run.records(), 100);
  kill(started.id(), SIGINT);
  const std::size_t before = long_run.loads();
  EXPECT_EQ(started.wait().exit_code, 130);
  EXPECT_LE(long_run.loads(), before + 1);
  EXPECT_EQ(processes_with(long_run.path()), 0);
}

TEST(Interrupt, EndsTheLoadingOfALibrary) {
  const LongRun long_run(test_plugin("counts_its_loads"));
  std::ofstream(long_run.hangs_file()).put('.');
  StartedProgram started(long_run.words());
  wait_until([&] { return long_run.loads() == 1; }, "the loading of the library");
  expect_end(started, SIGINT);
}

}  // namespace
}  // namespace certile::conformance
