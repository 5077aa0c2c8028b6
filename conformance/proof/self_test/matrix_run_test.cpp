// Kill matrices of a few mutants, made by the program.
#include <gtest/gtest.h>

#include <string>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

TEST(SelfTestMatrix, IsWrittenReadAndLearnedFrom) {
  const std::string path = temporary_path("kills.txt");
  const ProgramRun made =
      run_program({"self-test", "M01", "M09", "M17", "--budget", "500", "--matrix", path, "--jobs", "2"});
  EXPECT_EQ(made.exit_code, 0) << made.error;
  EXPECT_NE(made.out.find("kill matrix  smoke   3 of 3 mutants killed   500 cases, of which "),
            std::string::npos)
      << made.out;
  EXPECT_TRUE(file_content(path).starts_with("certile-kill-matrix 1\ntier smoke\nseed 1\nbudget 500\nplan "));
  const ProgramRun learned = run_program({"self-test", "--learn", path});
  EXPECT_EQ(learned.exit_code, 0) << learned.error;
  EXPECT_NE(learned.out.find("# Of the 3 mutants of the tier smoke, 1000 cases kill 3 (100.0 %)"),
            std::string::npos)
      << learned.out;
}

TEST(SelfTestMatrix, OfABudgetCountsTheMutantsKilled) {
  const ProgramRun run = run_program({"self-test", "M01", "M09", "--budget", "500", "--jobs", "1"});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_EQ(run.out, "budget 500 of smoke   2 of 2 mutants killed (100.0 %)\n");
}

TEST(SelfTestMatrix, RefusesAnUnknownMutantAndAFileThatIsNone) {
  EXPECT_EQ(run_program({"self-test", "M999", "--budget", "5"}).exit_code, 2);
  EXPECT_EQ(run_program({"self-test", "--budget", "5s"}).exit_code, 2);
  const ProgramRun learned = run_program({"self-test", "--learn", CERTILE_SOURCES "/README.md"});
  EXPECT_EQ(learned.exit_code, 2);
  EXPECT_NE(learned.error.find("README.md:1: is no line of a kill matrix"), std::string::npos)
      << learned.error;
}

}  // namespace
}  // namespace certile::conformance
