#include "conformance/cli/judged_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "conformance/text/digest.hpp"

namespace certile::conformance {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string written(const std::string& suffix, const std::string& content) {
  const std::string path = temporary_path(suffix);
  std::ofstream(path) << content;
  return path;
}

TEST(JudgedFiles, OfACommandAreItsProgramAndTheFilesThatItNames) {
  const std::string script = written(" of mine.py", "1"), log = written(".log", "2");
  EXPECT_EQ(files_of_command("sh -c 'exit 1'"), Words{fs::exists("/usr/bin/sh") ? "/usr/bin/sh" : "/bin/sh"});
  EXPECT_EQ(files_of_command("A=b /bin/sh '" + script + "' --fast 2> " + log), (Words{"/bin/sh", script}));
  EXPECT_EQ(files_of_command("/bin/sh -m certile serve '" + script + ":tile'"), (Words{"/bin/sh", script}));
  EXPECT_EQ(files_of_command("/bin/sh \"" + script + "\" '" + script + "'"), (Words{"/bin/sh", script}));
  EXPECT_EQ(files_of_command("no-such-program --none"), Words{});
}

TEST(JudgedFiles, OfAWorkerHaveTheDigestOfTheirListAndOfWhatItSaysItIsMadeOf) {
  const std::string script = written(".py", "abc");
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
  const std::string path = written(".so", "abc"), other = written(".other", "abd");
  const auto unchanged = JudgedFiles::of(path);
  ASSERT_TRUE(unchanged);
  EXPECT_EQ(unchanged->changed(), std::nullopt);
  std::fstream(path, std::ios::in | std::ios::out)
      << "abd";  // the same file, with other contents of the same size
  EXPECT_NE(unchanged->changed(), std::nullopt);

  const auto before = JudgedFiles::of(path);
  ASSERT_TRUE(before);
  fs::rename(path, path + ".kept");
  fs::rename(other, path);
  EXPECT_EQ(before->changed().value_or("").rfind(path + " was changed while it was judged", 0), 0U);
  fs::rename(path + ".kept", path);  // the old file is back, but another may have been loaded in between
  EXPECT_NE(before->changed(), std::nullopt);

  const auto there = JudgedFiles::of(path);
  ASSERT_TRUE(there);
  fs::remove(path);
  EXPECT_NE(there->changed(), std::nullopt);
}

TEST(JudgedFiles, HaveToBeFiles) {
  for (const char* path : {"/dev/zero", "/", "./no/libmine.so"})
    EXPECT_FALSE(JudgedFiles::of(path)) << path;
}

TEST(JudgedFiles, ThatAreReplacedWhileTheyRunPassNothing) {
  const std::string library = temporary_path(".so"), records = temporary_path(".jsonl"),
                    statement = temporary_path(".json");
  fs::copy_file(example_plugin("libexample"), library);
  const std::string judged = sha256_hex(file_content(library));
  StartedProgram started(program_words({"certify", library, "--tier", "smoke", "--jobs", "1", "--records",
                                        records, "--statement", statement}));
  wait_for_lines(records, 1);
  fs::rename(library, library + ".kept");
  fs::copy_file(library + ".kept", library);
  std::ofstream(library, std::ios::app) << "as right, and another file";
  const ProgramRun run = started.wait();
  fs::remove(library + ".kept");
  EXPECT_EQ(run.exit_code, 4) << run.error;
  EXPECT_NE(run.error.find(library + " was changed while it was judged"), std::string::npos) << run.error;
  EXPECT_NE(run.out.find("INCOMPLETE"), std::string::npos) << run.out;
  const auto said = nlohmann::json::parse(file_content(statement));
  EXPECT_EQ(said["predicate"]["result"], "FAILED");
  EXPECT_EQ(said["subject"][0]["digest"]["sha256"], judged);
}

}  // namespace
}  // namespace certile::conformance
