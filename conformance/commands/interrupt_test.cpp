#include "conformance/commands/interrupt.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/commands/program_test.hpp"
#include "conformance/example_runs_test.hpp"
#include "conformance/isolation/plugins_test.hpp"
#include "conformance/isolation/process_table.hpp"
#include "conformance/record_stream.hpp"

namespace certile {
namespace {

// A run that takes long, of a copy of the plugin, so that its processes are known by its path.
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
    const auto read = read_records(
        long_run.records(), [&](const RunHeader& header) { planned = header.planned; },
        [&](const Record& record) {
          ++recorded;
          if (record.verdict != Verdict::not_run) ++judged;
        });
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
  const auto read = read_records(
      long_run.records(), [](const RunHeader&) {}, [](const Record&) {});
  EXPECT_FALSE(read);
}

}  // namespace
}  // namespace certile
