#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

constexpr std::chrono::milliseconds at_once(0);

TEST(StartedProgram, ThatNeverEndsIsKilledAndFailsItsTest) {
  StartedProgram started({"sleep", "infinity"});
  ProgramRun run;
  EXPECT_NONFATAL_FAILURE(run = started.wait(at_once),
                          "the program had not ended after 0 ms and was killed: sleep infinity");
  EXPECT_EQ(run.exit_code, -SIGKILL);
}

TEST(WaitForLines, FailsItsTestWhereTheLinesNeverCome) {
  EXPECT_NONFATAL_FAILURE(wait_for_lines("/dev/null", 1, at_once),
                          "waited 0 ms in vain for 1 lines in /dev/null");
}

}  // namespace
}  // namespace certile::conformance
