// Tests that a run which would be a waste of time ends early, says why, and accuses no one falsely.
#include <gtest/gtest.h>

#include <string>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

TEST(EarlyEnd, OfALibraryThatCrashesAtEachCallIsSaidAndRecorded) {
  const std::string path = temporary_path(".jsonl");
  const ProgramRun run = run_program(
      {"certify", test_plugin("over_reads"), "--tier", "smoke", "--random", "3000", "--records", path});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_NE(run.out.find("NOT CONFORMANT ("), std::string::npos) << run.out;
  EXPECT_NE(run.error.find("certile: not run: "), std::string::npos) << run.error;
  EXPECT_NE(run.error.find(" of over-reads, because "), std::string::npos) << run.error;
  const ProgramRun verified = run_program({"verify", path});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.error;
}

TEST(EarlyEnd, OfARightLibraryWhoseCallsAreSlowIsNoAccusation) {
  if (is_slowed()) GTEST_SKIP() << "calls get so much more time here that this takes minutes";
  const ProgramRun run = run_program({"certify", test_plugin("slow"), "--tier", "smoke"});
  EXPECT_NE(run.exit_code, 0) << run.out;
  EXPECT_NE(run.out.find("INCOMPLETE ("), std::string::npos) << run.out;
  EXPECT_NE(run.out.find(" 0 fail "), std::string::npos) << run.out;
  EXPECT_NE(run.error.find(" of slow, because calls crash, hang, run out of memory or take seconds, and the "
                           "time was up\n"),
            std::string::npos)
      << run.error;
}

}  // namespace
}  // namespace certile::conformance
