// Tests that the command printed with a failure fails in the same way.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

// A printed failure: "fail  NAME  LITERAL   FAULT   [CLAUSE name]" and, some lines later, the command.
struct Failure {
  std::string literal, fault, clause, command;
};

std::vector<Failure> failures_in(const std::string& text) {
  static const std::string fail = "fail  ", gap = "   ", look = "      look closer: ";
  std::vector<Failure> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(look, 0) == 0 && !found.empty()) found.back().command = line.substr(look.size());
    if (line.rfind(fail, 0) != 0) continue;
    const std::size_t literal = line.find("  ", fail.size()) + 2;
    const std::size_t fault = line.find(gap, literal) + gap.size();
    const std::size_t clause = line.find(gap + "[", fault) + gap.size() + 1;
    const auto between = [&](std::size_t begin, std::size_t end) { return line.substr(begin, end - begin); };
    found.push_back({between(literal, fault - gap.size()),
                     between(fault, clause - gap.size() - 1),
                     between(clause, line.find(' ', clause)),
                     {}});
  }
  return found;
}

// A mixture of shapes, refusals, placements, threads, and calls that leave traces.
constexpr const char* corpus = R"(onnx-tile-13 u8[3] x i64{1}
onnx-tile-13 u8[3] x i64{4}
onnx-tile-13 f32[2,3] x i64{2,2}
onnx-tile-13 f32[2,3,4] x i64{1,2,3}
onnx-tile-13 i16[1,2,3,4] x i64{2,1,2,1}
onnx-tile-13 string[3] x i64{2}
onnx-tile-13 f64[] x i64{}
onnx-tile-13 f32[0,3] x i64{2,2}
onnx-tile-13 f32[2] x i64{-1}
onnx-tile-13 f32[2,3] x i64{2}
onnx-tile-13 u8[33] x i64{3} @offset=1
onnx-tile-13 f64[5] x i64{2} @offset=8
onnx-tile-13 u8[7] x i64{3} @guard=after
onnx-tile-13 u8[7] x i64{3} @guard=before
onnx-tile-13 u8[1000] x i64{50} @threads=2
)";

class Reproduce : public testing::TestWithParam<const char*> {};

TEST_P(Reproduce, FailsTheSameWay) {
  if (std::string(GetParam()) == "races" && has_race_detector())
    GTEST_SKIP() << "this sanitizer reports the race itself";
  const std::string path = temporary_path(".tile");
  std::ofstream(path) << corpus;
  const ProgramRun run = run_program({"certify", test_plugin(GetParam()), "--corpus", path});
  EXPECT_EQ(run.exit_code, 1) << run.out << run.error;
  std::set<std::string> clauses;
  for (const Failure& failure : failures_in(run.out)) {
    if (failure.command.empty() || !clauses.insert(failure.clause).second) continue;
    const ProgramRun again = run_in_shell(failure.command);
    EXPECT_EQ(again.exit_code, 1) << failure.command << again.out << again.error;
    const auto shown = failures_in(again.out);
    ASSERT_FALSE(shown.empty()) << failure.command << "\n" << again.out;
    EXPECT_EQ(shown.back().literal, failure.literal) << failure.command;
    EXPECT_EQ(shown.back().fault, failure.fault) << failure.command;
    EXPECT_EQ(shown.back().clause, failure.clause) << failure.command;
  }
  EXPECT_FALSE(clauses.empty()) << run.out;
}

INSTANTIATE_TEST_SUITE_P(TestPlugins, Reproduce,
                         testing::Values("crash_on_one_case", "exit_zero", "one_byte_over", "one_byte_before",
                                         "over_reads", "changes_input", "moves_descriptor", "unwritten_tail",
                                         "writes_on_refusal", "throws", "absurd_shape", "stateful", "races",
                                         "wrong_second_run", "misplaced", "scribbles", "kills_parent"),
                         [](const auto& plugin) { return std::string(plugin.param); });

// The printed command does not contain the time limit, so the default applies when it is run.
TEST(ReproduceSurroundings, AreAskedInTurnByRun) {
  const std::string literal = "onnx-tile-13 f32[2,3] x i64{2,1}";
  const ProgramRun run = run_program({"run", CERTILE_MUTANTS "/M340.so", literal});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  const auto failures = failures_in(run.out);
  ASSERT_EQ(failures.size(), 1U) << run.out;
  EXPECT_EQ(failures[0].clause, "CT-STEADY");
  EXPECT_NE(run.out.find("it fails where HOME is set, and passes where it is not"), run.out.npos) << run.out;
}

TEST(ReproduceHang, PrintsACommandThatHangs) {
  const ProgramRun run =
      run_program({"certify", test_plugin("hang"), "--case", the_case, "--time-limit", "2"});
  const auto shown = failures_in(run.out);
  ASSERT_EQ(shown.size(), 1U) << run.out;
  EXPECT_EQ(shown[0].fault, "timeout");
  EXPECT_EQ(shown[0].command, "certile run " + test_plugin("hang") + " '" + the_case + "'");
}

}  // namespace
}  // namespace certile::conformance
