#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

// The program as a shell runs it.
namespace certile {
namespace {

struct ProgramRun {
  int exit_code = -1;
  std::string printed;  // on both streams
};

ProgramRun run(const std::string& arguments) {
  ProgramRun run;
  std::FILE* const pipe = popen(("'" CERTILE_BENCH "' " + arguments + " 2>&1 </dev/null").c_str(), "r");
  std::array<char, 4096> piece;
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), pipe))
    run.printed.append(piece.data(), size);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  return run;
}

// One clear line, and the exit code of a wrong command line.
void expect_refusal(const std::string& arguments, const std::string& sentence) {
  const ProgramRun refused = run(arguments);
  EXPECT_EQ(refused.exit_code, 2) << arguments;
  EXPECT_NE(refused.printed.find(sentence), std::string::npos) << refused.printed;
}

TEST(BenchCommandLine, AnUnknownSuiteIsRefused) {
  expect_refusal("--suite nope", "there is no suite 'nope'");
}

TEST(BenchCommandLine, AnUnknownBackendIsRefused) {
  expect_refusal("nope", "there is no backend 'nope'");
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

TEST(BenchCommandLine, ComparingAFileThatIsMissingIsRefused) {
  expect_refusal("compare ./no/old.json ./no/new.json", "./no/old.json");
}

TEST(BenchCommandLine, TheSuitesAreNamedInTheHelp) {
  const ProgramRun help = run("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.printed.find("workloads"), std::string::npos);
}

TEST(BenchCommandLine, ATimedCaseIsInTheTable) {
  const ProgramRun timed =
      run("scalar --rounds 1 --budget 0.01 --threads 1 --case 'onnx-tile-13 f32[3,4] x i64{2,3}'");
  EXPECT_EQ(timed.exit_code, 0) << timed.printed;
  EXPECT_NE(timed.printed.find("onnx-tile-13 f32[3,4] x i64{2,3}"), std::string::npos);
  EXPECT_NE(timed.printed.find("scalar"), std::string::npos);
}

}  // namespace
}  // namespace certile
