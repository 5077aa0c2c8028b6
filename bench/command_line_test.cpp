#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

// Tests the program as a shell runs it.
namespace certile::bench {
namespace {

// Runs the program, with both streams in `out`.
conformance::ProgramRun run(const std::string& arguments) {
  return conformance::StartedProgram(
             {"/bin/sh", "-c", "exec '" + conformance::program + "' " + arguments + " 2>&1 </dev/null"})
      .wait();
}

// Expects one clear line, and the exit code of a wrong command line.
void expect_refusal(const std::string& arguments, const std::string& sentence) {
  const conformance::ProgramRun refused = run(arguments);
  EXPECT_EQ(refused.exit_code, 2) << arguments;
  EXPECT_NE(refused.out.find(sentence), std::string::npos) << refused.out;
}

TEST(BenchCommandLine, AnUnknownSuiteIsRefused) {
  expect_refusal("--suite nope", "there is no suite 'nope'");
}

TEST(BenchCommandLine, AnUnknownBackendIsRefused) {
  expect_refusal("nope", "there is no backend 'nope'");
}

TEST(BenchCommandLine, ARuntimeThatIsNotInstalledIsLeftOutWithTheWayToIt) {
  const conformance::ProgramRun left_out = run("numpy --case 'onnx-tile-13 u8[1] x i64{2}' --rounds 1");
  EXPECT_EQ(left_out.exit_code, 4) << left_out.out;
  EXPECT_NE(left_out.out.find("numpy is left out: numpy runs in a separate process and environment"),
            std::string::npos)
      << left_out.out;
}

TEST(BenchCommandLine, ARuntimeIsAskedThroughItsInstalledWorker) {
  namespace files = std::filesystem;
  const files::path prefix = conformance::temporary_path("-prefix");
  const files::path workers = prefix / "share/certile/adapters";
  files::create_directories(workers);
  files::create_directories(prefix / "bin");
  files::copy_file(conformance::program, prefix / "bin/certile-bench");
  std::ofstream(workers / "adapting.py") << '\n';
  std::ofstream(workers / "numpy_worker.py") << "raise SystemExit('it was asked')\n";
  const conformance::ProgramRun asked =
      conformance::StartedProgram(
          {"/bin/sh", "-c",
           "exec '" + (prefix / "bin/certile-bench").string() +
               "' numpy --case 'onnx-tile-13 u8[1] x i64{2}' --rounds 1 2>&1 </dev/null"})
          .wait();
  EXPECT_NE(asked.out.find("numpy is left out: "), std::string::npos) << asked.out;
  EXPECT_NE(asked.out.find("it was asked"), std::string::npos) << asked.out;
  files::remove_all(prefix);
}

TEST(BenchCommandLine, AnUnknownOptionIsRefused) {
  expect_refusal("--nope", "--nope");
}

TEST(BenchCommandLine, ABadLiteralIsRefused) {
  expect_refusal("--case 'f32[2]'", "f32[2]");
}

TEST(BenchCommandLine, ACaseThatWritesNothingIsRefused) {
  expect_refusal("--case 'onnx-tile-13 f32[2] x i64{0}'", "no elements");
}

TEST(BenchCommandLine, NoRoundsAreRefused) {
  expect_refusal("--rounds 0", "--rounds");
}

TEST(BenchCommandLine, WithoutABackendOrACaseNothingIsTimed) {
  for (const char* arguments : {"", "--hot", "--rounds 1"}) {
    expect_refusal(arguments, "name a BACKEND, or a --suite of every built-in backend");
    expect_refusal(arguments, "--baseline");
  }
}

TEST(BenchCommandLine, TheSuitesAreNamedInTheHelp) {
  const conformance::ProgramRun help = run("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("workloads"), std::string::npos);
}

const std::string one_case =
    "scalar --rounds 1 --budget 0.01 --threads 1 --case 'onnx-tile-13 f32[3,4] x i64{2,3}'";

TEST(BenchCommandLine, TheAnswerComesFirstAndTheTableOnlyIfAsked) {
  const conformance::ProgramRun timed = run(one_case);
  EXPECT_EQ(timed.exit_code, 0) << timed.out;
  EXPECT_EQ(timed.out.rfind("scalar, 1 case; ", 0), 0u) << timed.out;
  EXPECT_NE(timed.out.find("onnx-tile-13 f32[3,4] x i64{2,3}"), std::string::npos) << timed.out;
  EXPECT_EQ(timed.out.find("limits in GB/s"), std::string::npos) << timed.out;
  const conformance::ProgramRun verbose = run("--verbose " + one_case);
  EXPECT_EQ(verbose.out.rfind("scalar, 1 case; ", 0), 0u) << verbose.out;
  EXPECT_NE(verbose.out.find("limits in GB/s"), std::string::npos) << verbose.out;
}

TEST(BenchCommandLine, TheHelpNamesThePageThatExplainsTheFigures) {
  EXPECT_NE(run("--help").out.find("docs/benchmarking.md explains"), std::string::npos);
}

}  // namespace
}  // namespace certile::bench
