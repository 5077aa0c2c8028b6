#include "conformance/cli/remarks.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "conformance/ask/sandbox/private_folder.hpp"
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

TEST(Remarks, FilesThatALibraryWritesAreNamed) {
  if (!std::string_view(CERTILE_SANITIZE).empty()) GTEST_SKIP() << "sanitizers have their own functions";
  const auto folder = PrivateFolder::create();
  ASSERT_TRUE(folder);
  const ProgramRun run =
      run_program({"certify", CERTILE_MUTANTS "/M462.so", "--env", "TMPDIR=" + (*folder)->path(), "--case",
                   "onnx-tile-13 f32[2,3] x i64{1,2}"});
  EXPECT_NE(run.error.find("wrote to files, on which no answer may depend: "), std::string::npos)
      << run.error;
  EXPECT_NE(run.error.find("/certile-first-call"), std::string::npos) << run.error;
}

}  // namespace
}  // namespace certile::conformance
