#include "conformance/ask/process/loaded_files.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <functional>

#include "conformance/ask/asker.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "conformance/text/digest.hpp"

namespace certile::conformance {
namespace {

namespace fs = std::filesystem;

bool has_name(const std::vector<Part>& parts, std::string_view name) {
  return std::ranges::any_of(parts, [name](const Part& part) { return part.name.starts_with(name); });
}

// Returns the path and the identity of a line's code.
std::string mapped(std::string_view line, bool all = false) {
  const auto code = mapped_code(line, all);
  return code ? code->path + "|" + code->identity : "none";
}

TEST(LoadedFiles, AreWhatTheKernelListsWithCode) {
  EXPECT_EQ(mapped("7f00-7f01 r-xp 00000000 08:01 12      /usr/lib/a b.so"), "/usr/lib/a b.so|08:01 12");
  EXPECT_EQ(mapped("7f00-7f01 r--p 00000000 08:01 12      /usr/lib/a.so"), "none");
  EXPECT_EQ(mapped("7f00-7f01 r--p 00000000 08:01 12      /usr/lib/a.so", true), "/usr/lib/a.so|08:01 12");
  EXPECT_EQ(mapped("7f00-7f01 rw-s 00000000 00:01 12      /memfd:data (deleted)", true), "none");
  EXPECT_EQ(mapped("7f00-7f01 r-xp 00000000 00:00 0       [vdso]"), "none");
  EXPECT_EQ(mapped(""), "none");
}

// Nothing is left out for its name: shared memory has code as well as a disk has.
TEST(LoadedFiles, AreInMemoryOrNoFilesAtAll) {
  EXPECT_EQ(mapped("7f00-7f01 r-xp 00000000 00:1a 7       /dev/shm/helper.so"), "/dev/shm/helper.so|00:1a 7");
  EXPECT_EQ(mapped("7f00-7f01 r-xp 00000000 00:01 9       /memfd:x (deleted)"), "/memfd:x (deleted)|00:01 9");
  EXPECT_EQ(mapped("7f00-7f01 rwxp 00000000 00:00 0 "), "|00:00 0");
  EXPECT_EQ(mapped("7f00-7f01 rwxp 00000000 00:00 0       [anon:/a.so]"), "|00:00 0");
}

// Returns what a child process has loaded once it has done this.
std::vector<Part> loaded_after(const std::function<void()>& act) {
  std::array<int, 2> done{};
  EXPECT_EQ(pipe(done.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    act();
    static_cast<void>(!write(done[1], "x", 1));
    for (;;)
      pause();
  }
  char byte = 0;
  EXPECT_EQ(read(done[0], &byte, 1), 1);
  LoadedFiles loaded;
  loaded.note(getpid());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  for (const int end : done)
    close(end);
  return loaded.parts();
}

TEST(LoadedFiles, AreFoundBelowTheRootOfAChroot) {
  struct stat file {};
  ASSERT_EQ(stat("/proc/self/exe", &file), 0);
  const std::string path = std::filesystem::read_symlink("/proc/self/exe"),
                    identity = "08:01 " + std::to_string(file.st_ino);
  EXPECT_EQ(path_from_here({path, identity}), path);
  EXPECT_EQ(path_from_here({"/srv/chroot/debian" + path, identity}), path);
  EXPECT_EQ(path_from_here({"/srv/chroot/debian" + path, "08:01 1"}), "/srv/chroot/debian" + path);
  EXPECT_EQ(path_from_here({"", identity}), "");
}

TEST(LoadedFiles, SayThatThereIsCodeWithoutAFile) {
  EXPECT_TRUE(has_name(
      loaded_after([] { mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }),
      "[executable memory]"));
}

TEST(LoadedFiles, HaveNoDigestIfTheyHaveNoName) {
  const std::string bytes = file_content(example_plugin("libexample"));
  const auto parts = loaded_after([&bytes] {
    const int file = memfd_create("helper", MFD_CLOEXEC);
    static_cast<void>(!write(file, bytes.data(), bytes.size()));
    dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  });
  const auto found = std::ranges::find(parts, "memfd:helper", &Part::name);
  ASSERT_NE(found, parts.end());
  EXPECT_EQ(found->digest, "");
}

TEST(LoadedFiles, HaveTheirDigestsInSharedMemoryToo) {
  const std::string library = "/dev/shm/certile-" + std::to_string(getpid()) + ".so";
  std::error_code failed;
  fs::copy_file(example_plugin("libexample"), library, failed);
  if (failed) GTEST_SKIP() << "no file can be made in /dev/shm";
  LoadedFiles loaded;
  IsolateOptions options = isolate_options(library);
  options.loaded = &loaded;
  const bool has_opened = static_cast<bool>(open_asker(options));
  const std::string digest = sha256_hex(file_content(library));
  fs::remove(library);
  if (!has_opened) GTEST_SKIP() << "no code can be loaded from /dev/shm";
  EXPECT_TRUE(loaded.has(digest));
}

TEST(LoadedFiles, AreTheLibraryItsHostAndWhatBothNeed) {
  LoadedFiles loaded;
  const std::string library = example_plugin("libexample");
  IsolateOptions options = isolate_options(library);
  options.loaded = &loaded;
  ASSERT_TRUE(open_asker(options));
  const auto parts = loaded.parts();
  EXPECT_TRUE(loaded.has(sha256_hex(file_content(library))));
  for (const char* name : {"certile-host", "libc.so", "libexample.so"})
    EXPECT_TRUE(has_name(parts, name)) << name;
  EXPECT_EQ(loaded.changed(), std::nullopt);
  EXPECT_TRUE(std::ranges::is_sorted(parts, {}, &Part::name));
}

// The word that starts Python may be a script that looks for an interpreter, so Python itself is asked.
TEST(LoadedFiles, OfAWorkerAreThoseOfItsInterpreter) {
  const std::string who = "import os, sys; print(os.path.realpath(sys.executable), end='')";
  const ProgramRun python = StartedProgram({CERTILE_PYTHON, "-c", who}).wait();
  ASSERT_EQ(python.exit_code, 0) << python.error;
  LoadedFiles loaded;
  IsolateOptions options = isolate_options("worker:" CERTILE_PYTHON " " CERTILE_WORKERS "/example.py");
  options.loaded = &loaded;
  ASSERT_TRUE(open_asker(options));
  EXPECT_TRUE(loaded.has(sha256_hex(file_content(python.out)))) << python.out;
}

TEST(LoadedFiles, AreChangedByAnotherFileInTheirPlace) {
  const std::string library = temporary_path(".so");
  fs::copy_file(example_plugin("libexample"), library);
  LoadedFiles loaded;
  IsolateOptions options = isolate_options(library);
  options.loaded = &loaded;
  const auto asker = open_asker(options);
  ASSERT_TRUE(asker);
  fs::rename(library, library + ".kept");
  fs::copy_file(library + ".kept", library);
  static_cast<void>((*asker)->close());
  fs::remove(library + ".kept");
  EXPECT_EQ(loaded.changed().value_or("").substr(0, library.size() + 34),
            library + " was changed while it was judged, ");
}

TEST(LoadedFiles, AreChangedByAnotherFileThatWasInTheirPlaceForAWhile) {
  const std::string library = temporary_path(".so");
  fs::copy_file(example_plugin("libexample"), library);
  LoadedFiles loaded;
  IsolateOptions options = isolate_options(library);
  options.loaded = &loaded;
  ASSERT_TRUE(open_asker(options));
  fs::rename(library, library + ".kept");
  fs::copy_file(library + ".kept", library);
  ASSERT_TRUE(open_asker(options));
  fs::remove(library);
  fs::rename(library + ".kept", library);
  EXPECT_EQ(loaded.changed().value_or("").substr(0, library.size() + 34),
            library + " was changed while it was judged, ");
}

// A library that is removed as soon as it is loaded cannot be compared with anything.
TEST(LoadedFiles, HaveNoDigestIfTheyAreRemovedBeforeTheyCouldBeRead) {
  const std::string library = temporary_path(".so");
  fs::copy_file(example_plugin("libexample"), library);
  IsolateOptions options = isolate_options(library);
  const auto asker = open_asker(options);
  ASSERT_TRUE(asker);
  fs::remove(library);
  LoadedFiles loaded;
  loaded.note(getpid());
  const auto parts = loaded.parts();
  const auto found = std::ranges::find(parts, fs::path(library).filename().string(), &Part::name);
  ASSERT_NE(found, parts.end());
  EXPECT_EQ(found->digest, "");
}

}  // namespace
}  // namespace certile::conformance
