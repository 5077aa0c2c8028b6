// Tests the option --sandbox on the command line; sandbox_test.cpp tests what it does.

#include <gtest/gtest.h>

#include <string>

#include "conformance/ask/sandbox/sandbox.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

const std::string confined_case = "onnx-tile-13 f32[2,3] x i64{2,2}";

TEST(SandboxOption, LeavesTheNextWordToTheCommand) {
  const ProgramRun run = run_program({"run", "--sandbox", "scalar", confined_case});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_EQ(run.out.substr(0, run.out.find("  ")), "pass");
}

TEST(SandboxOption, RefusesAnotherWord) {
  const ProgramRun run = run_program({"run", "scalar", confined_case, "--sandbox=perhaps"});
  EXPECT_EQ(run.exit_code, 2) << run.error;
  EXPECT_NE(run.error.find("perhaps"), std::string::npos) << run.error;
}

TEST(SandboxOption, RunsNothingIfTheWholeSandboxIsRequiredAndThereIsNone) {
  const auto found = find_sandbox();
  ASSERT_TRUE(found);
  const ProgramRun run = run_program({"run", "scalar", confined_case, "--sandbox=required"});
  EXPECT_EQ(run.exit_code, found->refused.empty() ? 0 : 4) << run.error;
  for (const auto& refused : found->refused)
    EXPECT_NE(run.error.find(words_of(refused.layer)), std::string::npos) << run.error;
}

TEST(SandboxOption, IsStatedLayerForLayer) {
  const auto found = find_sandbox();
  ASSERT_TRUE(found);
  const ProgramRun run =
      run_program({"certify", "scalar", "--case", confined_case, "--sandbox", "--verbose"});
  for (std::size_t index = 0; index < layer_count; ++index) {
    const auto layer = static_cast<Layer>(index);
    const std::string begin = has(found->layers, layer) ? "sandbox: " : "sandbox, NOT in force: ";
    const std::string first_words = begin + std::string(words_of(layer)).substr(0, 12);
    EXPECT_NE(run.out.find(first_words), std::string::npos) << first_words << '\n' << run.out;
  }
  EXPECT_EQ(run.out.find("no sandbox"), std::string::npos);
  const ProgramRun bare = run_program({"certify", "scalar", "--case", confined_case, "--verbose"});
  EXPECT_NE(bare.out.find("no sandbox: files and network not restricted"), std::string::npos) << bare.out;
}

}  // namespace
}  // namespace certile::conformance
