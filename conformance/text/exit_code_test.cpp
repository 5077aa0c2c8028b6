#include "conformance/text/terminal.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

Words certify(Words backends, const Words& more) {
  backends.insert(backends.begin(), "certify");
  backends.insert(backends.end(), more.begin(), more.end());
  return backends;
}

std::ptrdiff_t lines_with(const std::string& text, const std::string& words) {
  std::ptrdiff_t found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++found;
  return found;
}

TEST(Graver, TakesTheFirstThatOccurredOfTheOrder) {
  EXPECT_EQ(graver(exit_conformant, exit_nothing_run), exit_nothing_run);
  EXPECT_EQ(graver(exit_nothing_run, exit_not_conformant), exit_not_conformant);
  EXPECT_EQ(graver(exit_not_conformant, exit_not_loaded), exit_not_loaded);
  EXPECT_EQ(graver(exit_not_loaded, exit_own_failure), exit_own_failure);
  EXPECT_EQ(graver(exit_interrupted, exit_own_failure), exit_interrupted);
  EXPECT_EQ(graver(exit_conformant, exit_conformant), exit_conformant);
}

TEST(ExitCode, IsZeroForARightBackend) {
  const ProgramRun run = run_program({"certify", "scalar", "--tier", "smoke", "--definition", "onnx-tile-6"});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_NE(run.out.find("CONFORMANT (full"), std::string::npos) << run.out;
}

TEST(ExitCode, IsOneForAWrongOne) {
  EXPECT_EQ(run_program(certify({test_plugin("unwritten_tail")}, {"--case", small_case})).exit_code, 1);
  EXPECT_EQ(run_program({"run", test_plugin("unwritten_tail"), small_case}).exit_code, 1);
}

TEST(ExitCode, IsFiveWhereNothingIsPlanned) {
  const ProgramRun run = run_program(certify({example_plugin("libexample")}, {"--clause", "OV-T1-X4"}));
  EXPECT_EQ(run.exit_code, 5) << run.error;
  EXPECT_NE(run.out.find("NOTHING RUN"), std::string::npos) << run.out;
}

TEST(ExitCode, IsFiveWhereNothingCouldBeJudged) {
  const ProgramRun run = run_program({"run", "scalar", "onnx-tile-13 u8[1000000,1000000] x i64{1,1}"});
  EXPECT_EQ(run.exit_code, 5) << run.out << run.error;
}

TEST(ExitCode, OfAFilteredRunIsItsOwnAndTheVerdictIsPartial) {
  for (const Words& filter :
       {Words{"--case", small_case}, Words{"--clause", "CT-PLACE", "--tier", "smoke"}}) {
    const ProgramRun run = run_program(certify({"scalar"}, filter));
    EXPECT_NE(run.out.find("PARTIAL"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("  CONFORMANT ("), std::string::npos) << run.out;
    EXPECT_EQ(run.exit_code, 0) << run.out;
  }
}

TEST(ExitCode, OfSeveralBackendsIsTheGravestAndAllAreRun) {
  const std::string missing = "./no/such.so", wrong = test_plugin("unwritten_tail");
  const ProgramRun run = run_program(certify({missing, "scalar", wrong}, {"--case", small_case}));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_NE(run.error.find("./no/such.so: there is no such file"), std::string::npos) << run.error;
  EXPECT_EQ(lines_with(run.out, "  1 pass ("), 1) << run.out;
  EXPECT_EQ(lines_with(run.out, "   1 fail   "), 1) << run.out;
  EXPECT_EQ(run_program(certify({"scalar", wrong}, {"--case", small_case})).exit_code, 1);
}

TEST(ExitCode, IsTwoForAnUnknownNameAndNothingIsRun) {
  const ProgramRun run = run_program(certify({"scalar", "sclar"}, {"--case", small_case}));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
}

TEST(ExitCode, IsZeroForHelpAndVersion) {
  EXPECT_EQ(run_program({"--version"}).exit_code, 0);
  EXPECT_EQ(run_program({"certify", "--help"}).exit_code, 0);
  EXPECT_EQ(run_program({"list"}).exit_code, 0);
}

}  // namespace
}  // namespace certile::conformance
