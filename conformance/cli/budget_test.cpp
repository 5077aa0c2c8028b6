// Runs that ask the most telling cases alone.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/mutants_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

ProgramRun certified(const Words& words) {
  return run_program(with_words({"certify", "scalar", "--tier", "smoke", "--quiet"}, words));
}

TEST(BudgetRun, SaysThatItWasCut) {
  const ProgramRun run = certified({"--budget", "100"});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_NE(run.out.find("PARTIAL (a budget of 100 cases: 100 of "), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("CONFORMANT"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("filtered"), std::string::npos) << run.out;
}

TEST(BudgetRun, SaysThatItWasFilteredToo) {
  const ProgramRun run = certified({"--budget", "10", "--clause", "CT-WRITE"});
  EXPECT_NE(run.out.find("PARTIAL (a budget of 10 cases: 10 of "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("; the plan was filtered"), std::string::npos) << run.out;
}

TEST(BudgetRun, HasRecordsThatAreVerified) {
  for (const char* budget : {"300", "1s"}) {
    const std::string path = temporary_path("budget.jsonl");
    const ProgramRun run = certified({"--budget", budget, "--records", path});
    EXPECT_EQ(run.exit_code, 0) << run.error;
    EXPECT_NE(file_content(path).find("\"asks\":\"" + std::string(budget) + "\""), std::string::npos);
    const ProgramRun verified = run_program({"verify", path});
    EXPECT_EQ(verified.exit_code, 0) << budget << verified.out << verified.error;
  }
}

TEST(BudgetRun, OfTimeEndsAfterAWholeChunk) {
  const std::string path = temporary_path("second.jsonl");
  // A worker answers slowly, so that the plan outlasts a second.
  const ProgramRun run =
      run_program({"certify", "worker:exec '" CERTILE_PYTHON "' '" CERTILE_WORKERS "/example.py'", "--tier",
                   "smoke", "--quiet", "--budget", "1s", "--jobs", "2", "--records", path});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_NE(run.out.find("PARTIAL (a budget of 1 s: "), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("INCOMPLETE"), std::string::npos) << run.out;
  EXPECT_NE(file_content(path).find("\"not-run\":0"), std::string::npos);
  EXPECT_EQ(run_program({"verify", path}).exit_code, 0);
}

TEST(BudgetRun, FindsWhatAMutantDoes) {
  const ProgramRun run =
      run_program({"certify", zero_as_one, "--tier", "smoke", "--quiet", "--budget", "100"});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_NE(run.out.find("NOT CONFORMANT (a budget of 100 cases: 100 of "), std::string::npos) << run.out;
}

TEST(BudgetRun, IsTheSameWithAnyNumberOfProcesses) {
  const std::string one = temporary_path("one.jsonl"), three = temporary_path("three.jsonl");
  certified({"--budget", "100", "--jobs", "1", "--records", one});
  certified({"--budget", "100", "--jobs", "3", "--records", three});
  EXPECT_TRUE(file_content(one) == file_content(three));
}

TEST(BudgetRun, GoesOnAfterAKill) {
  const std::string whole = temporary_path("whole.jsonl"), cut = temporary_path("cut.jsonl");
  certified({"--budget", "100", "--records", whole});
  const std::string records = file_content(whole);
  std::ofstream(cut, std::ios::binary) << records.substr(0, records.size() / 2);
  const ProgramRun resumed = certified({"--budget", "100", "--resume", cut});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_NE(resumed.error.find("goes on after "), std::string::npos) << resumed.error;
  EXPECT_TRUE(file_content(cut) == records);
}

TEST(BudgetRun, RefusesWhatIsNoBudgetAndWhatContradictsIt) {
  const std::string path = temporary_path("resumed.jsonl");
  for (const Words& words :
       {Words{"--budget", "0"}, Words{"--budget", "30m"}, Words{"--budget", ""},
        Words{"--budget", "10", "--shard", "1/2"}, Words{"--budget", "1s", "--resume", path},
        Words{"--budget", "10", "--case", "onnx-tile-13 u8[1] x i64{2}"}}) {
    const ProgramRun run = certified(words);
    EXPECT_EQ(run.exit_code, 2) << run.error;
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.error.find("--budget"), std::string::npos) << run.error;
  }
}

}  // namespace
}  // namespace certile::conformance
