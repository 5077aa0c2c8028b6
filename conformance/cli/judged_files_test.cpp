#include "conformance/cli/judged_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "conformance/text/digest.hpp"

namespace certile::conformance {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> changed(const JudgedFiles& files) {
  return files.changed_since(LoadedFiles());
}

TEST(JudgedFiles, OfACommandAreItsProgramAndTheFilesThatItNames) {
  const std::string script = written_file(" of mine.py", "1"), log = written_file(".log", "2");
  const std::string found_sh = fs::exists("/usr/bin/sh") ? "/usr/bin/sh" : "/bin/sh";
  EXPECT_EQ(files_of("worker:sh -c 'exit 1'"), Words{found_sh});
  EXPECT_EQ(files_of("worker:A=b /bin/sh '" + script + "' --fast 2> " + log), (Words{"/bin/sh", script}));
  EXPECT_EQ(files_of("worker:/bin/sh -m certile serve '" + script + ":tile'"), (Words{"/bin/sh", script}));
  EXPECT_EQ(files_of("worker:/bin/sh \"" + script + "\" '" + script + "'"), (Words{"/bin/sh", script}));
  EXPECT_EQ(files_of("worker:A=b exec sh '" + script + "'"), (Words{found_sh, script}));
  EXPECT_EQ(files_of("worker:no-such-program --none"), Words{});
}

TEST(JudgedFiles, OfAWorkerHaveTheDigestOfTheirListAndOfWhatItSaysItIsMadeOf) {
  const std::string script = written_file(".py", "abc");
  const auto files = JudgedFiles::of("worker:/bin/sh " + script);
  ASSERT_TRUE(files) << files.error().what;
  ASSERT_EQ(files->parts().size(), 2U);
  EXPECT_EQ(files->parts()[1],
            (Part{script, "", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}));
  Claim claim;
  const std::string lines =
      files->parts()[0].digest + "  /bin/sh\n" + files->parts()[1].digest + "  " + script + "\n";
  EXPECT_EQ(files->digest(claim), sha256_hex(lines));
  claim.parts = {{"numpy", "1.26", std::string(64, 'c')}};
  EXPECT_EQ(files->digest(claim), sha256_hex(lines + std::string(64, 'c') + "  numpy  1.26\n"));
}

TEST(JudgedFiles, AreChangedByAnythingThatPutsOtherBytesInTheirPlace) {
  const std::string path = written_file(".so", "abc"), other = written_file(".other", "abd");
  const auto unchanged = JudgedFiles::of(path);
  ASSERT_TRUE(unchanged);
  EXPECT_EQ(changed(*unchanged), std::nullopt);
  std::fstream(path, std::ios::in | std::ios::out)
      << "abd";  // the same file, with other contents of the same size
  EXPECT_NE(changed(*unchanged), std::nullopt);

  const auto before = JudgedFiles::of(path);
  ASSERT_TRUE(before);
  fs::rename(path, path + ".kept");
  fs::rename(other, path);
  EXPECT_EQ(changed(*before).value_or("").rfind(path + " was changed while it was judged", 0), 0U);
  fs::rename(path + ".kept", path);
  EXPECT_EQ(changed(*before), std::nullopt);  // if another was loaded in between, LoadedFiles knows

  const auto there = JudgedFiles::of(path);
  ASSERT_TRUE(there);
  fs::remove(path);
  EXPECT_NE(changed(*there), std::nullopt);
}

// Other users may do that, and other programs that link to a file instead of copying it.
TEST(JudgedFiles, AreNotChangedByAnotherLinkOrOtherRights) {
  const std::string path = written_file(".so", "abc");
  const auto before = JudgedFiles::of(path);
  ASSERT_TRUE(before);
  fs::create_hard_link(path, path + ".link");
  fs::permissions(path, fs::perms::owner_read);
  fs::remove(path + ".link");
  EXPECT_EQ(changed(*before), std::nullopt);
}

TEST(JudgedFiles, HaveToBeFiles) {
  for (const char* path : {"/dev/zero", "/", "./no/libmine.so"})
    EXPECT_FALSE(JudgedFiles::of(path)) << path;
}

TEST(JudgedFiles, ThatAreReplacedWhileTheyRunPassNothing) {
  const std::string library = temporary_path(".so"), records = temporary_path(".jsonl");
  fs::copy_file(example_plugin("libexample"), library);
  StartedProgram started(
      program_words({"certify", library, "--tier", "smoke", "--jobs", "1", "--records", records}));
  wait_for_lines(records, 1);
  // In one step, because a process that is started meanwhile must find a file.
  fs::copy_file(library, library + ".other");
  std::ofstream(library + ".other", std::ios::app) << "as right, and another file";
  fs::rename(library + ".other", library);
  const ProgramRun run = started.wait();
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_NE(run.error.find(library + " was changed while it was judged"), std::string::npos) << run.error;
  EXPECT_NE(run.out.find("INCOMPLETE"), std::string::npos) << run.out;
}

TEST(JudgedFiles, AreNotTheLibraryIfTheProcessesLoadedAnother) {
  const std::string library = temporary_path(".so");
  fs::copy_file(example_plugin("libexample"), library);
  const auto files = JudgedFiles::of(library);
  ASSERT_TRUE(files);
  LoadedFiles loaded;
  IsolateOptions options = isolate_options(example_plugin("simd"));
  options.loaded = &loaded;
  ASSERT_TRUE(open_asker(options));
  EXPECT_EQ(files->changed_since(loaded),
            "the processes loaded another file than " + library + ", so the result does not belong to it");
}

}  // namespace
}  // namespace certile::conformance
