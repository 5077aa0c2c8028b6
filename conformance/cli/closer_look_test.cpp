// Tests what `certile run`, `certile shrink` and `certile explain` print, as a user sees it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

const std::string row_twice = "onnx-tile-13 i32[2,3] x i64{1,2}";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Returns the rest of the first line that begins with `start`; empty if there is none.
std::string after(const std::string& text, const std::string& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(start)) return line.substr(start.size());
  return {};
}

TEST(CloserLook, DrawsAnUnwrittenElementWithoutANumber) {
  const ProgramRun run = run_program({"run", test_plugin("unwritten_tail"), row_twice});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_TRUE(has(run.out, "element [1,5] was not written, expected 0x00000006 (6); 1 of 12 differs\n"))
      << run.out;
  EXPECT_TRUE(has(run.out, R"(
      expected               got
        0  1  2  3  4  5       0  1  2  3  4  5
      0 1  2  3 |1  2  3     0 1  2  3 |1  2  3
      1 4  5  6 |4  5  6     1 4  5  6 |4  5  ?*
      * wrong   ? not written
      where: at the end of the output
)")) << run.out;
}

TEST(CloserLook, IsNoCommandThatWasJustRun) {
  const ProgramRun run = run_program({"run", test_plugin("unwritten_tail"), row_twice});
  EXPECT_FALSE(has(run.out, "look closer")) << run.out;
  // A case before it that the failure does not need is left out of the command.
  const ProgramRun two =
      run_program({"run", test_plugin("unwritten_tail"), "onnx-tile-13 u8[0] x i64{2}", row_twice});
  EXPECT_TRUE(
      has(two.out, "look closer: certile run " + test_plugin("unwritten_tail") + " '" + row_twice + "'\n"))
      << two.out;
}

TEST(CloserLook, DrawsTheFailureThatCertifyShowsWhole) {
  const ProgramRun run =
      run_program({"certify", test_plugin("unwritten_tail"), "--case", row_twice, "--shrink"});
  EXPECT_TRUE(has(run.out, "1 4  5  6 |4  5  ?*\n")) << run.out;
  EXPECT_TRUE(has(run.out, "\nCT-WRITE\nfails   onnx-tile-13 u8[] x i64{}   left-unwritten")) << run.out;
  EXPECT_TRUE(has(run.out, "look closer: certile run ")) << run.out;
}

TEST(CloserLook, IsInTheReportFromTheRecordsByteForByteIfTheOutputIsSmall) {
  const std::string records = temporary_path(".jsonl");
  const ProgramRun run =
      run_program({"certify", test_plugin("unwritten_tail"), "--case", row_twice, "--records", records});
  const ProgramRun again = run_program({"report", records});
  EXPECT_TRUE(has(again.out, "1 4  5  6 |4  5  ?*\n")) << again.out;
  // The time that the run took is not in the records.
  const std::size_t seconds = run.out.rfind("   ");
  EXPECT_EQ(again.out, run.out.substr(0, seconds) + "\n");
}

TEST(CloserLook, SaysWhatTheFailuresOfAClauseHaveInCommon) {
  const std::string corpus = temporary_path(".tile"), records = temporary_path(".jsonl");
  std::ofstream lines(corpus);
  for (int repeat = 195; repeat < 215; ++repeat)
    lines << "onnx-tile-13 u8[1000] x i64{" << repeat << "}\n";
  lines.close();
  const std::string plugin = test_plugin("wrong_from_200000_bytes");
  const ProgramRun run = run_program({"certify", plugin, "--corpus", corpus, "--records", records});
  EXPECT_TRUE(has(run.out, "      near it these pass: onnx-tile-13 u8[1000] x i64{199}, "))
      << "ten passes at least are needed: " << run.out;
  std::ofstream(corpus, std::ios::app) << "onnx-tile-13 u8[9] x i64{1}\nonnx-tile-13 u8[9] x i64{2}\n"
                                          "onnx-tile-13 u8[9] x i64{3}\nonnx-tile-13 u8[9] x i64{4}\n"
                                          "onnx-tile-13 u8[9] x i64{5}\n";
  const ProgramRun more = run_program({"certify", plugin, "--corpus", corpus, "--records", records});
  EXPECT_TRUE(has(more.out,
                  "      the clause fails exactly where the size of the output is 200,000 bytes or more, "
                  "in the run and in "))
      << more.out;
}

TEST(CloserLook, DrawsAnAnswerThatNeedsAnEarlierCallAndSaysWhoseItIs) {
  const std::string first = "onnx-tile-13 i32[3]{7,8,9} x i64{2}", second = "onnx-tile-13 i32[3] x i64{2}";
  const ProgramRun run = run_program({"run", test_plugin("caches_by_address"), first, second});
  EXPECT_TRUE(
      has(run.out,
          "      it passes when it is called alone, and fails after the call onnx-tile-13 i32{7,8,9} x "
          "i64{2}\n"
          "      element [0] is 0x00000007 (7), expected 0x00000001 (1); 6 of 6 differ\n"
          "      the whole answer is that of the call before it\n"))
      << run.out;
  EXPECT_TRUE(has(run.out, "      0 1  2  3 |1  2  3     0 7* 8* 9*|7* 8* 9*\n      * wrong\n      debug: "))
      << "nothing follows that the sentence about the call before it has not said: " << run.out;
}

TEST(Shrink, FindsThePlainestCaseThatFails) {
  const std::string plugin = test_plugin("crash_on_repeat_three");
  const ProgramRun run = run_program({"shrink", plugin, "onnx-tile-13 f16[2,5] x i64{3,4} fill=bits:3"});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  const std::string fails = after(run.out, "fails   ");
  const std::string literal = fails.substr(0, fails.find("   "));
  EXPECT_EQ(literal, "onnx-tile-13 u8[1,2] x i64{1,3}") << run.out;
  EXPECT_TRUE(has(fails, "   crash   [")) << run.out;
  EXPECT_TRUE(has(run.out, "passes  onnx-tile-13 u8[1,2] x i64{1,2}   plainer\n")) << run.out;
  EXPECT_FALSE(has(run.out, "larger")) << "every larger case fails: " << run.out;
}

TEST(Shrink, FindsTheNearestCasesThatPass) {
  const ProgramRun run = run_program({"shrink", test_plugin("crash_on_one_case"), the_case});
  EXPECT_TRUE(has(run.out, "passes  onnx-tile-13 f32[2,3,4] x i64{1,2,2}   plainer\n")) << run.out;
  EXPECT_TRUE(has(run.out, "passes  onnx-tile-13 f32[2,3,4] x i64{1,2,4}   larger\n")) << run.out;
}

TEST(Shrink, KeepsTheElementThatMatters) {
  const ProgramRun run = run_program(
      {"shrink", test_plugin("quiets_nans"), "onnx-tile-13 f32[2,3]{1,2,3,4,0x7fa00001,6} x i64{2,1}"});
  EXPECT_TRUE(run.out.starts_with("fails   onnx-tile-13 f32[]{0x7fa00001} x i64{}   elements   [CT-BITS "))
      << run.out;
}

TEST(Shrink, KeepsTheCallsThatAFailureNeeds) {
  const ProgramRun run = run_program(
      {"shrink", test_plugin("stateful"), "onnx-tile-13 f16[3] x i64{2}", "onnx-tile-13 f64[5] x i64{4}"});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_TRUE(
      run.out.starts_with("after   onnx-tile-13 u8[1] x i64{1}\n"
                          "fails   onnx-tile-13 u8[1] x i64{2}   elements, after the cases above\n"))
      << run.out;
}

TEST(Shrink, LeavesACaseThatPasses) {
  const ProgramRun alone = run_program({"shrink", "scalar", row_twice});
  EXPECT_EQ(alone.exit_code, 0);
  EXPECT_EQ(alone.out, "pass    " + row_twice + "\n");
}

TEST(Shrink, RefusesWhatRunRefuses) {
  EXPECT_EQ(run_program({"shrink", "sclar", row_twice}).exit_code, 2);
  EXPECT_EQ(run_program({"shrink", "scalar", "nonsense"}).exit_code, 2);
}

TEST(Explain, PrintsAClauseAndRefusesAnUnknownWord) {
  const ProgramRun clause = run_program({"explain", "CT-WRITE"});
  EXPECT_EQ(clause.exit_code, 0);
  EXPECT_TRUE(has(clause.out, "CT-WRITE every-byte-written\n  kind      contract: ")) << clause.out;
  EXPECT_EQ(run_program({"explain", "NOT", "CONFORMANT"}).exit_code, 0);
  const ProgramRun unknown = run_program({"explain", "CT-WRITTE"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(has(unknown.error, "did you mean CT-WRITE?")) << unknown.error;
  EXPECT_EQ(run_program({"explain"}).exit_code, 0);
}

// Runs the printed command, but without the terminal that gdb wants.
std::string debugged(const ProgramRun& run) {
  const std::string command = after(run.out, "      debug: gdb");
  if (command.empty()) return {};
  const std::string in_path = "PATH=$(dirname '" + program + "'):$PATH; gdb -batch" + command;
  return StartedProgram({"/bin/sh", "-c", in_path}).wait().out;
}

bool has_debugger() {
  // gdb may be missing, or not be allowed to trace.
  const auto tried = StartedProgram({"/bin/sh", "-c", "gdb -batch -ex run --args true 2>&1"}).wait();
  return has(tried.out, "exited normally");
}

TEST(DebuggerLine, StopsWhereTheLibraryIsOpened) {
  if (!has_debugger() || has_race_detector()) GTEST_SKIP() << "no gdb can trace here";
  const std::string out = debugged(run_program({"run", test_plugin("unwritten_tail"), row_twice}));
  EXPECT_TRUE(has(out, "hit Breakpoint 1, ") && has(out, "certile_plugin_open")) << out;
}

TEST(DebuggerLine, StopsAtACrash) {
  if (!has_debugger() || has_race_detector()) GTEST_SKIP() << "no gdb can trace here";
  const std::string out =
      debugged(run_program({"run", test_plugin("crash_on_repeat_three"), "onnx-tile-13 u8[1,2] x i64{1,3}"}));
  EXPECT_TRUE(has(out, "received signal SIG")) << out;
}

}  // namespace
}  // namespace certile::conformance
