#include "conformance/cli/remarks.hpp"

#include <gtest/gtest.h>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

TEST(Remarks, ALibraryThatPrintsMuchIsToldSo) {
  const ProgramRun run = run_program({"certify", test_plugin("prints_much"), "--case", small_case});
  EXPECT_NE(run.error.find("bytes for each case; the run is faster if it prints less"), std::string::npos)
      << run.error;
  EXPECT_EQ(run_program({"certify", example_plugin("libexample"), "--case", small_case}).error, "");
}

}  // namespace
}  // namespace certile::conformance
