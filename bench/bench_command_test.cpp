#include "bench/bench_command.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>
#include <string>

#include "conformance/ask/process/process_table.hpp"

namespace certile::bench {
namespace {

// The one case that the test plugins get wrong, and one that they get right.
const std::string wrong_case = "onnx-tile-13 f32[2,3,4] x i64{1,2,3}";
const std::string right_case = "onnx-tile-13 f32[3,4] x i64{2,3}";

std::string test_plugin(const std::string& name) {
  return CERTILE_TEST_PLUGINS "/" + name + ".so";
}

BenchOptions options_for(std::vector<std::string> backends, std::vector<std::string> literals) {
  BenchOptions options;
  options.program = CERTILE_BENCH;
  options.backends = std::move(backends);
  options.literals = std::move(literals);
  options.rounds = 1;
  options.budget = 0.01;
  options.limit_threads = {1};
  return options;
}

// A worker that is right, and says of its calls that they took 1,000 ns, 1,001 ns and so on.
const std::string worker_command =
    "'" CERTILE_PYTHON "' '" CERTILE_WORKERS "/test_workers/wrong.py' not_at_all";

Result<BenchOutcome> outcome_of(const BenchOptions& options) {
  std::ostringstream ignored;
  return run_benchmarks(options, ignored);
}

TEST(BenchCommand, TimesABuiltInBackendBesideTheLimits) {
  const auto outcome = outcome_of(options_for({"scalar"}, {right_case}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_code, 0);
  ASSERT_EQ(outcome->run.cases.size(), 1u);
  const TimedCase& timed = outcome->run.cases[0];
  EXPECT_EQ(timed.literal, right_case);
  EXPECT_EQ(timed.regime, "tiny");
  EXPECT_EQ(timed.input_bytes, 48u);
  EXPECT_EQ(timed.output_bytes, 288u);
  EXPECT_EQ(timed.innermost_bytes, 16u);
  ASSERT_EQ(timed.subjects.size(), 1u);
  EXPECT_EQ(timed.subjects[0].verdict, Verdict::pass);
  EXPECT_TRUE(timed.subjects[0].in_process);
  ASSERT_TRUE(timed.subjects[0].hot);
  EXPECT_FALSE(timed.subjects[0].cold);
  ASSERT_FALSE(timed.limits.empty());
  for (const Limit& limit : timed.limits)
    EXPECT_TRUE(limit.hot);
}

TEST(BenchCommand, FromAMebibyteOnTimesColdAsWell) {
  const auto outcome = outcome_of(options_for({"scalar"}, {"onnx-tile-13 f32[1,65536] x i64{4,1}"}));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->run.cases[0].subjects[0].hot);
  EXPECT_TRUE(outcome->run.cases[0].subjects[0].cold);
}

TEST(BenchCommand, ALibraryIsTimedInAProcessOfItsOwn) {
  const std::string plugin = CERTILE_PLUGINS "/libexample.so";
  const auto outcome = outcome_of(options_for({plugin}, {right_case}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->run.cases[0].subjects[0].name, "example") << "what the library calls itself";
  EXPECT_FALSE(outcome->run.cases[0].subjects[0].in_process);
  EXPECT_TRUE(outcome->run.cases[0].subjects[0].hot);
}

TEST(BenchCommand, TwoThatCallThemselvesTheSameGoByTheirPaths) {
  const std::string plugin = CERTILE_PLUGINS "/libexample.so";
  const std::string same = CERTILE_PLUGINS "/../lib/libexample.so";
  BenchOptions options = options_for({plugin, "mine=" + plugin}, {right_case});
  options.baseline = same;
  const auto outcome = outcome_of(options);
  ASSERT_TRUE(outcome);
  const std::vector<Subject>& subjects = outcome->run.cases[0].subjects;
  ASSERT_EQ(subjects.size(), 3u);
  EXPECT_EQ(subjects[0].name, plugin);
  EXPECT_EQ(subjects[1].name, "mine");
  EXPECT_EQ(subjects[2].name, same);
  EXPECT_EQ(outcome->run.baseline, same);
}

TEST(BenchCommand, ABaselineIsNamedAsItCallsItself) {
  BenchOptions options = options_for({"scalar"}, {right_case});
  options.baseline = CERTILE_PLUGINS "/libexample.so";
  const auto outcome = outcome_of(options);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->run.baseline, "example");
  EXPECT_EQ(outcome->run.cases[0].subjects[1].name, "example");
}

TEST(BenchCommand, WritesNoProgressWhereThereIsNoTerminal) {
  std::ostringstream error;
  ASSERT_TRUE(run_benchmarks(options_for({"scalar"}, {right_case}), error));
  EXPECT_EQ(error.str(), "");
}

TEST(BenchCommand, WhatFailedIsNotTimedAndShowsWhy) {
  const auto outcome = outcome_of(options_for({"scalar", test_plugin("one_byte_over")}, {wrong_case}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_code, 1);
  const std::vector<Subject>& subjects = outcome->run.cases[0].subjects;
  EXPECT_TRUE(subjects[0].hot);
  EXPECT_EQ(subjects[1].verdict, Verdict::fail);
  EXPECT_EQ(subjects[1].why, "wrote at least 1 byte past the end of the output");
  EXPECT_FALSE(subjects[1].hot);
}

TEST(BenchCommand, ACrashCostsOneResult) {
  const auto outcome =
      outcome_of(options_for({test_plugin("crash_on_one_case"), "scalar"}, {wrong_case, right_case}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_code, 1);
  const auto& cases = outcome->run.cases;
  EXPECT_EQ(cases[0].subjects[0].verdict, Verdict::fail);
  EXPECT_FALSE(cases[0].subjects[0].hot);
  EXPECT_TRUE(cases[1].subjects[0].hot);
  EXPECT_TRUE(cases[0].subjects[1].hot);
  EXPECT_TRUE(cases[1].subjects[1].hot);
}

TEST(BenchCommand, ACrashWhileALibraryIsTimedIsNamedAndCostsOneResult) {
  const auto outcome = outcome_of(options_for({test_plugin("crash_from_call_40"), "scalar"}, {right_case}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_code, 1);
  const std::vector<Subject>& subjects = outcome->run.cases[0].subjects;
  EXPECT_EQ(subjects[0].verdict, Verdict::fail);
  EXPECT_EQ(subjects[0].why, "while it was timed: crashed with signal 6 (SIGABRT)");
  EXPECT_FALSE(subjects[0].hot);
  EXPECT_TRUE(subjects[1].hot);
}

TEST(BenchCommand, ALibraryThatCannotBeLoadedLeavesTheOthers) {
  const auto outcome = outcome_of(options_for({test_plugin("crash_while_loading"), "scalar"}, {right_case}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_code, 4);
  EXPECT_EQ(outcome->run.cases[0].subjects[0].verdict, Verdict::not_run);
  EXPECT_NE(outcome->run.cases[0].subjects[0].why, "");
  EXPECT_TRUE(outcome->run.cases[0].subjects[1].hot);
}

TEST(BenchCommand, ALibraryThatIsNoPluginSaysWhy) {
  const auto outcome = outcome_of(options_for({test_plugin("no_symbol")}, {right_case}));
  ASSERT_TRUE(outcome);
  const std::string& why = outcome->run.cases[0].subjects[0].why;
  EXPECT_NE(why.find("certile_plugin_open"), std::string::npos) << why;
}

// Tests with a process in a separate session, which only the worker's host ends.
TEST(BenchCommand, AWorkerTimesItselfHotAndLeavesNoProcess) {
  const std::string mark = std::to_string(300'000'000 + getpid());
  const auto outcome =
      outcome_of(options_for({"worker:(setsid sleep " + mark + " &); exec " + worker_command},
                             {"openvino-tile-1 f32[1,65536] x i64{4,1}"}));
  EXPECT_EQ(conformance::processes_with(mark), 0);
  ASSERT_TRUE(outcome);
  const Subject& subject = outcome->run.cases[0].subjects[0];
  EXPECT_EQ(subject.verdict, Verdict::pass) << subject.why;
  EXPECT_TRUE(subject.self_timed);
  EXPECT_FALSE(subject.cold);
  ASSERT_TRUE(subject.hot);
  EXPECT_NEAR(subject.hot->nanoseconds.at(0), 1002.5, 1000) << "what the worker says";
}

// A case that is too large for the rig.
const std::string large_case = "onnx-tile-13 u8[1048577] x i64{33}";

TEST(BenchCommand, ALargeAnswerIsComparedByteByByte) {
  const auto outcome = outcome_of(
      options_for({"scalar", CERTILE_PLUGINS "/libexample.so", "worker:" + worker_command}, {large_case}));
  ASSERT_TRUE(outcome);
  for (const Subject& subject : outcome->run.cases[0].subjects) {
    EXPECT_EQ(subject.verdict, Verdict::pass) << subject.name << ": " << subject.why;
    EXPECT_TRUE(subject.hot);
  }
}

TEST(BenchCommand, AWrongByteInALargeAnswerIsFound) {
  const auto outcome = outcome_of(options_for({test_plugin("unwritten_tail")}, {large_case}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_code, 1);
  EXPECT_EQ(outcome->run.cases[0].subjects[0].verdict, Verdict::fail)
      << outcome->run.cases[0].subjects[0].why;
}

TEST(BenchCommand, TheBaselineIsTimedWhereItIsNotNamed) {
  BenchOptions options = options_for({"eigen"}, {right_case});
  options.baseline = "scalar";
  const auto outcome = outcome_of(options);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->run.baseline, "scalar");
  ASSERT_EQ(outcome->run.cases[0].subjects.size(), 2u);
  EXPECT_EQ(outcome->run.cases[0].subjects[1].name, "scalar");
}

TEST(BenchCommand, AnUnknownBackendIsAMistakeOfTheCommandLine) {
  const auto outcome = outcome_of(options_for({"nope"}, {right_case}));
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().what.find("there is no backend 'nope'"), std::string::npos);
}

TEST(BenchCommand, ABadLiteralIsNamed) {
  const auto outcome = outcome_of(options_for({"scalar"}, {"onnx-tile-13 f32[2"}));
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().what.find("onnx-tile-13 f32[2"), std::string::npos);
}

}  // namespace
}  // namespace certile::bench
