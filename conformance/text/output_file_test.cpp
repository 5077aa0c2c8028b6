#include "conformance/text/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {
namespace {

namespace fs = std::filesystem;

TEST(OutputFile, AWholeFileReplacesTheOneBefore) {
  const std::string path = temporary_path("");
  std::ofstream(path) << "much longer than what follows";
  ASSERT_TRUE(write_whole_file(path, "short"));
  EXPECT_EQ(file_content(path), "short");
}

TEST(OutputFile, ADirectoryThatDoesNotExistIsNamed) {
  const Result<Done> done = write_whole_file("/no/such/directory/report.xml", "x");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Error::Code::io);
  EXPECT_EQ(done.error().what, "cannot write /no/such/directory/report.xml: No such file or directory");
}

TEST(OutputFile, AFileThatFailsLeavesTheOneBeforeAndNothingBeside) {
  const std::string directory = temporary_path("");
  fs::create_directory(directory);
  fs::create_directory(directory + "/report.xml");
  EXPECT_FALSE(write_whole_file(directory + "/report.xml", "x"));
  EXPECT_EQ(std::distance(fs::directory_iterator(directory), {}), 1);
}

TEST(OutputFile, ALinkStaysALink) {
  const std::string target = temporary_path(".target"), link = temporary_path(".link");
  std::ofstream(target) << "old";
  fs::remove(link);
  fs::create_symlink(target, link);
  ASSERT_TRUE(write_whole_file(link, "new"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(file_content(target), "new");
}

TEST(OutputFile, AReplacedFileKeepsItsPermissions) {
  const std::string path = temporary_path("");
  std::ofstream(path) << "old";
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(write_whole_file(path, "new"));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(OutputFile, APipeIsWrittenAsItStands) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_TRUE(write_whole_file("/dev/fd/" + std::to_string(ends[1]), "report"));
  char buffer[16] = {};
  EXPECT_EQ(read(ends[0], buffer, sizeof buffer), 6);
  EXPECT_EQ(std::string(buffer), "report");
  close(ends[0]);
  close(ends[1]);
}

// Opening /dev/stdout again would empty the file that standard output was redirected to.
TEST(OutputFile, StandardOutputIsContinued) {
  const std::string path = temporary_path("");
  std::fflush(stdout);
  const int saved = dup(STDOUT_FILENO);
  ASSERT_NE(freopen(path.c_str(), "w", stdout), nullptr);
  std::fputs("before\n", stdout);
  const bool as_device = static_cast<bool>(write_whole_file("/dev/stdout", "report\n"));
  const bool as_dash = static_cast<bool>(write_whole_file("-", "again\n"));
  std::fputs("after\n", stdout);
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  EXPECT_TRUE(as_device && as_dash);
  EXPECT_EQ(file_content(path), "before\nreport\nagain\nafter\n");
}

TEST(OutputFile, AFullDiskIsAnError) {
  const Result<Done> done = write_whole_file("/dev/full", "x");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "cannot write /dev/full: No space left on device");
}

TEST(OutputFile, AFileThatMayNotGrowIsAnError) {
  const std::string path = temporary_path("");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  watch_for_interrupts();
  const rlimit tight{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  const Result<Done> done = write_whole_file(path, std::string(10'000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ})
    std::signal(signal, SIG_DFL);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "cannot write " + path + ": File too large");
}

TEST(OutputFile, AFileThatAnotherOneWritesIsRefusedAndLeftAsItIs) {
  const std::string path = temporary_path("");
  std::ofstream(path) << "old";
  {
    auto first = OutputFile::open(path);
    ASSERT_TRUE(first);
    ASSERT_TRUE(first->write("first"));
    const auto second = OutputFile::open(path);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().what,
              "cannot write " + path +
                  ": another process, perhaps another certile, has locked it; wait for its "
                  "end, or name another file");
    EXPECT_EQ(file_content(path), "first");
  }
  EXPECT_TRUE(OutputFile::open(path)) << "the lock ends with its file";
}

}  // namespace
}  // namespace certile::conformance
