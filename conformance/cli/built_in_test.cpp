// Tests `certile certify built-in`, which is what ./dev certify asks without a name.
#include <gtest/gtest.h>

#include <string>

#include "backends/registry/registry.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

ProgramRun asked_all(const Words& words) {
  return run_program(joined({"certify", "built-in", "--budget", "10"}, words));
}

// Returns the line of the report that begins with the name.
std::string line_of(const std::string& name, const std::string& report) {
  const std::size_t begin = ("\n" + report).find("\n" + name + " ");
  return begin == std::string::npos ? "" : report.substr(begin, report.find('\n', begin) - begin);
}

TEST(BuiltInBackends, AreAllAskedAndTheSlowOnesInSmoke) {
  const ProgramRun run = asked_all({});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  for (const backends::BuiltIn& each : backends::built_in_backends()) {
    const std::string line = line_of(std::string(each.name), run.out);
    if (!each.unavailable().empty()) continue;
    EXPECT_NE(line.find(each.is_slow ? "   smoke   " : "   core   "), std::string::npos)
        << each.name << run.out;
    const bool is_explained = run.error.find(std::string(each.name) + " is slow, ") != std::string::npos;
    EXPECT_EQ(is_explained, each.is_slow) << run.error;
  }
}

TEST(BuiltInBackends, AreAllAskedInTheTierThatIsNamed) {
  const ProgramRun run = asked_all({"--tier", "full", "--quiet"});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_EQ(run.out.find("   smoke   "), std::string::npos) << run.out;
  EXPECT_EQ(run.error.find(" is slow, "), std::string::npos) << run.error;
}

TEST(BuiltInBackends, AreAskedInCoreWhereTheirNamesAreGiven) {
  const ProgramRun run = run_program({"certify", "xtensor", "--budget", "10", "--quiet"});
  EXPECT_EQ(run.out.find("   smoke   "), std::string::npos) << run.out;
}

}  // namespace
}  // namespace certile::conformance
