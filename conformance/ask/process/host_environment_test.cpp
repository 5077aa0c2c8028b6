// Tests what docs/running.md states about the environment of backends.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/ask/process/environment.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {
namespace {

namespace fs = std::filesystem;

// Returns the folders in /proc of the host of the backend with this name, and of the host's child.
std::vector<std::string> folders_of_host(const std::string& spelling) {
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string folder = entry.path().string();
    const std::string words = file_content(folder + "/cmdline");
    const bool is_host = words.find(std::string("\0host\0", 6)) != words.npos &&
                         words.find('\0' + spelling + '\0') != words.npos;
    if (is_host) folders.push_back(folder);
  }
  return folders;
}

// Returns the names of the variables in the environment of that backend's host.
std::set<std::string> variables_of_host(const std::string& spelling) {
  std::set<std::string> names;
  for (const std::string& folder : folders_of_host(spelling)) {
    std::istringstream variables(file_content(folder + "/environ"));
    for (std::string variable; std::getline(variables, variable, '\0');)
      names.insert(variable.substr(0, variable.find('=')));
  }
  return names;
}

TEST(HostEnvironment, IsBareAndHasTheThresholdsOfThisTreeForItsOwnBackendsAlone) {
  if (!emulator_words().empty()) GTEST_SKIP() << "the emulator has variables of its own";
  for (const char* name :
       {"OMP_NUM_THREADS", "CERTILE_STREAMING_FROM", "CERTILE_THREADS_FROM", "CERTILE_ANOTHER"})
    setenv(name, "1", 1);
  const std::string library = temporary_path(".so");
  fs::copy_file(example_plugin("libexample"), library);
  const auto of_library = open_asker(isolate_options(library));
  ASSERT_TRUE(of_library) << of_library.error().what;
  std::set<std::string> expected{"ASAN_OPTIONS", "OMP_NUM_THREADS"};
  for (const char* name : {"LD_LIBRARY_PATH", "UBSAN_OPTIONS", "TSAN_OPTIONS"})
    if (std::getenv(name) != nullptr) expected.insert(name);
  EXPECT_EQ(variables_of_host(library), expected);
  const auto of_this_tree = open_asker(isolate_options("openmp"));
  ASSERT_TRUE(of_this_tree) << of_this_tree.error().what;
  const auto names = variables_of_host("openmp");
  EXPECT_EQ(names.count("CERTILE_THREADS_FROM") + names.count("CERTILE_STREAMING_FROM"), 2U);
  EXPECT_EQ(names.count("CERTILE_ANOTHER"), 0U);
  for (const char* name :
       {"OMP_NUM_THREADS", "CERTILE_STREAMING_FROM", "CERTILE_THREADS_FROM", "CERTILE_ANOTHER"})
    unsetenv(name);
}

TEST(HostEnvironment, IgnoresNoSignalThatTheCallerIgnores) {
  if (!emulator_words().empty()) GTEST_SKIP() << "the emulator has handlers of its own";
  const std::string library = temporary_path(".so");
  fs::copy_file(example_plugin("libexample"), library);
  const auto before_interrupt = std::signal(SIGINT, SIG_IGN), before_user = std::signal(SIGUSR2, SIG_IGN);
  const auto opened = open_asker(isolate_options(library));
  std::signal(SIGINT, before_interrupt);
  std::signal(SIGUSR2, before_user);
  ASSERT_TRUE(opened) << opened.error().what;
  const auto folders = folders_of_host(library);
  ASSERT_FALSE(folders.empty());
  for (const std::string& folder : folders) {
    const std::string status = file_content(folder + "/status");
    const std::uint64_t ignored = std::stoull(status.substr(status.find("SigIgn:") + 7), nullptr, 16);
    for (const int signal : {SIGINT, SIGUSR2})
      EXPECT_EQ(ignored >> (signal - 1) & 1, 0U) << signal;
  }
}

TEST(HostEnvironment, IsCertilesOwnWhereNothingIsJudged) {
  if (!emulator_words().empty()) GTEST_SKIP() << "the emulator has variables of its own";
  setenv("CERTILE_ANOTHER", "1", 1);
  const std::string library = temporary_path(".so");
  fs::copy_file(example_plugin("libexample"), library);
  IsolateOptions options = isolate_options(library);
  options.keeps_environment = true;
  const auto asker = open_asker(options);
  ASSERT_TRUE(asker) << asker.error().what;
  EXPECT_EQ(variables_of_host(library).count("CERTILE_ANOTHER"), 1U);
  unsetenv("CERTILE_ANOTHER");
}

TEST(HostEnvironment, HasWhatTheUserSets) {
  IsolateOptions options = isolate_options("./mine.so");
  options.environment = {"NAME=a value", "OMP_NUM_THREADS=7", "ASAN_OPTIONS=verbosity=1"};
  setenv("OMP_NUM_THREADS", "1", 1);
  const std::vector<std::string> all = host_environment(options);
  unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(std::ranges::count(all, "NAME=a value"), 1);
  EXPECT_EQ(std::ranges::count(all, "OMP_NUM_THREADS=7"), 1);
  EXPECT_EQ(std::ranges::count(all, "OMP_NUM_THREADS=1"), 0);
  EXPECT_EQ(std::ranges::count_if(
                all, [](const std::string& each) { return each.starts_with("ASAN_OPTIONS=verbosity=1:"); }),
            1);
}

TEST(HostEnvironment, OfAUserHasItsVariables) {
  IsolateOptions options = isolate_options("./mine.so");
  options.surroundings = Surroundings::of_a_user();
  options.environment = {"USER=me"};
  const std::vector<std::string> all = host_environment(options);
  EXPECT_EQ(std::ranges::count(all, "HOME=/tmp"), 1);
  EXPECT_EQ(std::ranges::count(all, "USER=me"), 1);
  EXPECT_EQ(std::ranges::count(all, "USER=user"), 0);
  const auto is_asan = [](const std::string& each) { return each.starts_with("ASAN_OPTIONS="); };
  const bool is_needed = !std::string(CERTILE_SANITIZE).empty() || std::getenv("ASAN_OPTIONS") != nullptr;
  EXPECT_EQ(std::ranges::any_of(all, is_asan), is_needed);
  options.environment = {"LD_PRELOAD=libasan.so.8"};
  EXPECT_TRUE(std::ranges::any_of(host_environment(options), is_asan));
}

TEST(HostEnvironment, OfAWorkerIsSetByItsShell) {
  EXPECT_EQ(in_environment("python3 mine.py", {}), "python3 mine.py");
  EXPECT_EQ(in_environment("exec mine", {"A=it's", "B="}), "export A='it'\\''s'; export B=''; exec mine");
}

}  // namespace
}  // namespace certile::conformance
