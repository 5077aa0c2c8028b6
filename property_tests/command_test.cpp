// The program as a user meets it.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "conformance/plan/corpus.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::property_tests {
namespace {

// Runs the command in the first line that begins so, by a shell, as printed.
conformance::ProgramRun run_printed(const std::string& out, const std::string& beginning,
                                    const std::string& program_path) {
  const std::size_t at = out.find(beginning);
  EXPECT_NE(at, std::string::npos) << out;
  if (at == std::string::npos) return {};
  const std::size_t start = out.find(' ', at + beginning.size());
  return conformance::StartedProgram(
             {"/bin/sh", "-c", "'" + program_path + "'" + out.substr(start, out.find('\n', at) - start)})
      .wait();
}

TEST(Properties, PrintsCommandsThatShowACounterexampleAgain) {
  const conformance::ProgramRun found = conformance::run_program(
      {conformance::test_plugin("crash_on_repeat_three"), "--seed", "1", "--property", "tiling-twice"});
  EXPECT_EQ(found.exit_code, 1) << found.error;
  EXPECT_EQ(found.out.rfind("seed 1\n", 0), 0U) << found.out;
  const conformance::ProgramRun judged = run_printed(found.out, "look closer: certile", CERTILE_JUDGE);
  EXPECT_EQ(judged.exit_code, 1) << judged.error;
  EXPECT_NE(judged.out.find("SIGABRT"), std::string::npos) << judged.out;
  const conformance::ProgramRun again =
      run_printed(found.out, "again: certile-properties", conformance::program);
  EXPECT_EQ(again.exit_code, 1) << again.error;
  EXPECT_NE(again.out.find("BROKEN  crash-on-repeat-three  tiling-twice  after 0 cases"), std::string::npos)
      << again.out;
}

TEST(Properties, ExaminesAGivenCaseInstead) {
  const conformance::ProgramRun given = conformance::run_program(
      {"scalar", "--property", "periodic", "--case", "onnx-tile-13 f32[2,3] x i64{2,2}"});
  EXPECT_EQ(given.exit_code, 0) << given.error;
  EXPECT_EQ(given.out, "holds   scalar  periodic  1 case\n");
}

TEST(Properties, SaysThatAPropertyWasNotExamined) {
  const conformance::ProgramRun given = conformance::run_program(
      {"scalar", "--property", "periodic", "--case", "onnx-tile-13 f32[2,3] x i64{-1,2}"});
  EXPECT_EQ(given.exit_code, 0) << given.error;
  EXPECT_EQ(given.out, "silent  scalar  periodic  1 case, nothing examined: it applies to none of them\n");
}

TEST(Properties, KeepsACounterexampleOnceInACorpus) {
  const std::string corpus = conformance::temporary_path(".tile");
  std::ofstream(corpus) << "# mine\nonnx-tile-13 u8[2] x i64{2}\n";
  const std::vector<std::string> arguments{conformance::test_plugin("unwritten_tail"),
                                           "--seed",
                                           "1",
                                           "--property",
                                           "agrees-with-oracle",
                                           "--save",
                                           corpus};
  const conformance::ProgramRun first = conformance::run_program(arguments);
  EXPECT_EQ(first.exit_code, 1) << first.error;
  EXPECT_NE(first.out.find("kept in " + corpus), std::string::npos) << first.out;
  const conformance::ProgramRun second = conformance::run_program(arguments);
  EXPECT_NE(second.out.find("already in " + corpus), std::string::npos) << second.out;
  EXPECT_EQ(conformance::file_content(corpus),
            "# mine\nonnx-tile-13 u8[2] x i64{2}\n"
            "onnx-tile-13 u8[] x i64{} # found by certile-properties: agrees-with-oracle, seed 1\n");
  EXPECT_TRUE(conformance::parse_corpus(*conformance::read_corpus(corpus)));
  std::remove(corpus.c_str());
}

TEST(Properties, KeepsACounterexampleInTheSourceTreeThatItIsIn) {
  const std::filesystem::path tree = conformance::temporary_path("-tree");
  const std::filesystem::path corpus = tree / "conformance/plan/corpora/regressions.tile";
  std::filesystem::create_directories(corpus.parent_path());
  std::filesystem::create_directories(tree / "docs");
  std::ofstream(corpus) << "# ours\nonnx-tile-13 u8[2] x i64{2}\n";
  const conformance::ProgramRun run =
      conformance::StartedProgram({"/bin/sh", "-c",
                                   "cd '" + (tree / "docs").string() + "'; exec '" + conformance::program +
                                       "' '" + conformance::test_plugin("unwritten_tail") +
                                       "' --seed 1 --property agrees-with-oracle --save"})
          .wait();
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_EQ(conformance::file_content(corpus.string()),
            "# ours\nonnx-tile-13 u8[2] x i64{2}\nonnx-tile-13 u8[] x i64{} # found by certile-properties: "
            "agrees-with-oracle, seed 1\n");
  std::filesystem::remove_all(tree);
}

TEST(Properties, RefusesACorpusThatIsNone) {
  const conformance::ProgramRun absent = conformance::run_program({"scalar", "--save", "/nowhere/mine.tile"});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_EQ(absent.error,
            "certile-properties: cannot read the corpus /nowhere/mine.tile: No such file or directory\n");
}

TEST(Properties, SaysWhatIsWrongWithACommandLine) {
  const auto complaint = [](const std::vector<std::string>& arguments) {
    const conformance::ProgramRun run = conformance::run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.out << run.error;
    return run.error;
  };
  EXPECT_EQ(complaint({}),
            "certile-properties: BACKEND is missing: a built-in name, or the path of a shared library\n");
  EXPECT_NE(complaint({"nobody"}).find("there is no backend 'nobody'"), std::string::npos);
  EXPECT_NE(complaint({"scalar", "--property", "nothing"})
                .find("there is no 'nothing'; --list shows what there is"),
            std::string::npos);
  EXPECT_NE(complaint({"scalar", "--case", "onnx-tile-13 f32"}).find("onnx-tile-13 f32"), std::string::npos);
  EXPECT_NE(complaint({"scalar", "--seed", "one"}).find("--seed"), std::string::npos);
  EXPECT_NE(complaint({"scalar", "--cases", "0"}).find("--cases"), std::string::npos);
}

TEST(Properties, SaysThatALibraryCannotBeLoaded) {
  const conformance::ProgramRun run = conformance::run_program({conformance::test_plugin("no_symbol")});
  EXPECT_EQ(run.exit_code, 4) << run.error;
  EXPECT_NE(run.error.find("certile-properties: "), std::string::npos) << run.error;
}

TEST(Properties, ListsEveryProperty) {
  const conformance::ProgramRun run = conformance::run_program({"--list"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 13) << run.out;
}

}  // namespace
}  // namespace certile::property_tests
