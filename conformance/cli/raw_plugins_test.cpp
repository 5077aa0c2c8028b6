// Tests that certificates show the errors of the libraries' own Tile, in plugins that work around none of
// them.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

TEST(RawPlugin, OfEigenEndsItsProcessOnEmptyData) {
  const std::string plugin = example_plugin("libeigen-raw");
  if (!std::filesystem::exists(plugin)) GTEST_SKIP() << "eigen-raw was not built";
  const ProgramRun empty = run_program({"certify", plugin, "--case", "onnx-tile-13 f32[0,3] x i64{2,2}"});
  EXPECT_EQ(empty.exit_code, 1) << empty.error;
  EXPECT_NE(empty.out.find("SIGABRT"), std::string::npos) << empty.out;
  EXPECT_NE(empty.out.find("Assertion"), std::string::npos) << "what it printed is shown: " << empty.out;
  const ProgramRun ordinary = run_program({"run", plugin, "onnx-tile-13 f32[2,3] x i64{2,2}"});
  EXPECT_EQ(ordinary.exit_code, 0) << ordinary.out;
}

TEST(RawPlugin, OfXtensorFailsOnAZeroRepeat) {
  const std::string plugin = example_plugin("libxtensor-raw");
  if (!std::filesystem::exists(plugin)) GTEST_SKIP() << "xtensor-raw was not built";
  const ProgramRun zero = run_program({"certify", plugin, "--case", "onnx-tile-13 f32[2,3] x i64{2,0}"});
  EXPECT_EQ(zero.exit_code, 1) << zero.error;
  EXPECT_NE(zero.out.find("zero-repeat"), std::string::npos) << zero.out;
  const ProgramRun ordinary = run_program({"run", plugin, "onnx-tile-13 f32[2,3] x i64{2,2}"});
  EXPECT_EQ(ordinary.exit_code, 0) << ordinary.out;
}

}  // namespace
}  // namespace certile::conformance
