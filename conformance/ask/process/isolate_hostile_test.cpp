// Tests that backends that attack the host or the runner lose only the request of the attack.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/ask/process/process_table.hpp"
#include "conformance/testing/asked_backend_test.hpp"
#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

const std::vector<std::string> around_it{"onnx-tile-13 u8[2] x i64{2}", "onnx-tile-13 string[3] x i64{2}",
                                         the_case, "onnx-tile-13 u8[3] x i64{2}",
                                         "onnx-tile-13 f32[2] x i64{-1}"};

// Returns the answer to the one case, after expecting all others to be right.
RawAnswer only_wrong_answer(AskedBackend& asker) {
  auto answers = asker.ask(around_it);
  for (std::size_t index = 0; index < answers.size(); ++index)
    EXPECT_EQ(AskedBackend::is_right(answers[index], around_it[index]), around_it[index] != the_case)
        << around_it[index];
  return std::move(answers[2]);
}

TEST(HostileBackend, ThatKillsItsHostCostsOneRequest) {
  AskedBackend asker(test_plugin("kills_parent"));
  const RawAnswer answer = only_wrong_answer(asker);
  EXPECT_FALSE(answer.reply);
  EXPECT_TRUE(answer.end.host_ended);
}

TEST(HostileBackend, ThatStopsItselfAndItsHostTimesOut) {
  IsolateOptions options = isolate_options(test_plugin("stops_itself"));
  options.time_limit = limit_of_hangs;
  AskedBackend asker(options);
  const RawAnswer answer = only_wrong_answer(asker);
  EXPECT_FALSE(answer.reply);
  EXPECT_TRUE(answer.end.timed_out);
}

TEST(HostileBackend, ThatWritesOverSharedMemoryCostsOneRequest) {
  AskedBackend asker(test_plugin("scribbles"));
  const RawAnswer answer = only_wrong_answer(asker);
  EXPECT_FALSE(answer.reply);
  EXPECT_TRUE(answer.end.unreadable || answer.end.signal != 0);
}

TEST(HostileBackend, ThatWritesOverSharedMemoryCostsOneRequestOfSeveralBatches) {
  AskedBackend asker(test_plugin("scribbles"));
  std::vector<std::string> literals(600, "onnx-tile-13 u8[2] x i64{2}");
  literals[300] = the_case;
  const auto answers = asker.ask(literals);
  for (std::size_t index = 0; index < literals.size(); ++index)
    EXPECT_EQ(AskedBackend::is_right(answers[index], literals[index]), index != 300) << index;
}

// Returns a copy of a plugin, whose path identifies the processes that run it, and whose name
// selects what it does.
std::string copied(const std::string& plugin) {
  const std::string path = temporary_path("") + "/" + plugin + ".so";
  std::filesystem::create_directory(std::filesystem::path(path).parent_path());
  std::filesystem::copy_file(test_plugin(plugin), path);
  return path;
}

TEST(HostileBackend, LeavesNoProcessBehind) {
  for (const char* plugin : {"leaves_process", "kills_parent", "hang", "stops_itself"}) {
    const std::string path = copied(plugin);
    {
      IsolateOptions options = isolate_options(path);
      options.time_limit = limit_of_hangs;
      AskedBackend asker(options);
      asker.ask(the_case);
      EXPECT_GE(processes_with(path), 1) << plugin;
    }
    EXPECT_EQ(processes_with(path), 0) << plugin;
  }
}

TEST(HostileBackend, LeavesNoProcessBehindWhenItIsRestarted) {
  const std::string path = copied("leaves_process");
  AskedBackend asker(path);
  for (int round = 0; round < 3; ++round) {
    asker.ask(the_case);
    ASSERT_TRUE(asker.asker().restart());
    EXPECT_EQ(processes_with(path), 2) << "the host and the new child";
  }
}

}  // namespace
}  // namespace certile::conformance
