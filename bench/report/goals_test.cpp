#include "bench/report/goals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "bench/report/goal_rules.hpp"
#include "bench/report/report_json.hpp"
#include "bench/report/synthetic_run_test.hpp"
#include "bench/run/count_calls.hpp"
#include "conformance/text/output_file.hpp"

namespace certile {
namespace {

// `simd` at 0.9 of the limit, `numpy` ten times as slow.
BenchRun simd_run() {
  BenchRun run = synthetic_run();
  for (TimedCase& timed : run.cases) {
    timed.subjects[0].name = "simd";
    timed.subjects[1].name = "numpy";
    if (timed.subjects.size() > 2) timed.subjects[2].name = "eigen";
  }
  run.baseline = "numpy";
  return run;
}

GoalResult result_named(std::string_view name, const BenchRun& run) {
  for (const Goal& goal : all_goals()) {
    if (goal.name == name) return result_of(goal, run);
  }
  ADD_FAILURE() << "no goal " << name;
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Goals, SpeakOnlyAboutTheCasesTheyAreFor) {
  const BenchRun run = simd_run();
  EXPECT_EQ(result_named("G1", run).cases.size(), 1u);
  EXPECT_EQ(result_named("G2", run).cases.size(), 0u);  // nothing ran in threads
  EXPECT_EQ(result_named("G3", run).cases.size(), 0u);
  EXPECT_EQ(result_named("G4", run).cases.size(), 0u);
  EXPECT_EQ(result_named("G5", run).cases.size(), 1u);
  EXPECT_EQ(result_named("G6, small source", run).cases.size(), 0u);
  EXPECT_EQ(result_named("G6, larger source", run).cases.size(), 1u);
  EXPECT_EQ(result_named("G8", run).cases.size(), 3u);
}

TEST(Goals, CountWhatReachesThemAndPutTheWorstFirst) {
  BenchRun run = simd_run();
  run.cases.push_back(run.cases[2]);
  run.cases.back().subjects[0].hot = rounds_around(run.cases[2].subjects[0].hot->nanoseconds[0] * 2);
  const GoalResult result = result_named("G1", run);
  ASSERT_EQ(result.cases.size(), 2u);
  EXPECT_EQ(result.met, 1);
  EXPECT_NEAR(result.cases[0].figure.median, 0.675, 1e-3);
  EXPECT_NEAR(result.mean.median, std::sqrt(0.675 * 1.35), 1e-3);
}

TEST(Goals, HoldThreadsToTheLimitOfThreadsEvenWhereOneWorked) {
  BenchRun run = simd_run();
  run.cases[2].subjects[2] = run.cases[2].subjects[0];
  run.cases[2].subjects[2].name = "openmp";
  const GoalResult result = result_named("G2", run);
  ASSERT_EQ(result.cases.size(), 1u);
  EXPECT_NEAR(result.cases[0].figure.median, 1.5 * 90 / 190, 1e-6);
}

TEST(Goals, CompareWithTheFastestFrameworkOfEachCase) {
  const GoalResult result = result_named("G8", simd_run());
  EXPECT_NEAR(result.cases[0].figure.median, 1.8, 1e-6);   // against eigen
  EXPECT_NEAR(result.cases[2].figure.median, 10.0, 1e-6);  // eigen failed there
}

TEST(Goals, OfTheTinyCallAreTimesOfMemset) {
  BenchRun run = simd_run();
  Subject plugin = run.cases[0].subjects[0];
  plugin.name = "./libsimd.so";
  plugin.hot = rounds_around(57);
  run.cases[0].subjects.push_back(plugin);
  EXPECT_NEAR(result_named("G9, direct call", run).cases[0].figure.median, 20.0 / 19, 1e-6);
  EXPECT_NEAR(result_named("G9, plugin", run).cases[0].figure.median, 3, 1e-6);
  EXPECT_EQ(result_named("G9, plugin", run).met, 1);
}

TEST(Goals, RepeatedAxesAreCountedAfterFusing) {
  EXPECT_EQ(repeated_levels("onnx-tile-13 f32[2,3,4] x i64{1,2,3}"), 2);
  EXPECT_EQ(repeated_levels("onnx-tile-13 u8[4096,3] x i64{1,64}"), 1);
  EXPECT_EQ(repeated_levels("onnx-tile-13 f32[1,1,12800] x i64{3,200,1}"), 1);
  EXPECT_EQ(repeated_levels("onnx-tile-13 f32[4,4] x i64{1,1}"), 0);
  EXPECT_EQ(repeated_levels("nonsense"), 0);
}

TEST(PerformanceDocument, StatesEachGoalAndWhatWasReached) {
  const std::string text = performance_document({simd_run()}, {}, "./dev bench --document");
  EXPECT_TRUE(contains(text, "`./dev bench --document` measures and writes this page"));
  EXPECT_TRUE(contains(text, "| G1 | workloads | 1 | 1 | 1.35 / 1.35 | 1.35 / 1.35 | reached |")) << text;
  EXPECT_TRUE(contains(text, "| G2 | | 0 | | | | not measured |"));
  EXPECT_TRUE(contains(
      text, "| G6, larger source | workloads | 1 | 0 | 0.95 / 0.95 | 0.95 / 0.95 | **falls short** |"));
  for (const Goal& goal : all_goals())
    EXPECT_TRUE(contains(text, std::string(goal.aim)));
}

TEST(PerformanceDocument, ListsWhatFallsShort) {
  const std::string text = performance_document({simd_run()}, {}, "x");
  EXPECT_TRUE(contains(text, "**G6, larger source**, workloads: 1 of 1"));
  EXPECT_TRUE(
      contains(text, "| `onnx-tile-13 f32[5,1,12800] x i64{1,32,1}` | rows | 8.00 MiB | 0.95 / 0.95 |"));
}

TEST(PerformanceDocument, ShowsInstructionCountsWhereThereAreSome) {
  const InstructionCount count{
      .subject = "simd", .literal = "onnx-tile-13 f32[4,8] x i64{2,2}", .instructions = 123};
  EXPECT_TRUE(contains(performance_document({simd_run()}, {count}, "x"),
                       "| `onnx-tile-13 f32[4,8] x i64{2,2}` | simd | 123 |"));
  EXPECT_FALSE(contains(performance_document({simd_run()}, {}, "x"), "Callgrind"));
}

TEST(GoalsCommand, ReadsRunsAndCounts) {
  const std::filesystem::path folder = testing::TempDir();
  const std::string run_path = (folder / "certile_bench_goals_test.json").string();
  const std::string counts_path = (folder / "certile_bench_goals_test.txt").string();
  ASSERT_TRUE(write_json(run_path, simd_run()));
  ASSERT_TRUE(write_whole_file(counts_path, "# a remark\nsimd 140 onnx-tile-13 f32[4,8] x i64{2,2}\n"));
  std::ostringstream out, error;
  EXPECT_EQ(goals_command({run_path}, counts_path, out, error), 0);
  EXPECT_TRUE(contains(out.str(), "| simd | 140 |"));
  EXPECT_EQ(goals_command({run_path, run_path}, counts_path, out, error), 0);
  EXPECT_TRUE(contains(out.str(), "| G1 | workloads, certile&#95;bench&#95;goals&#95;test | 1 |"))
      << out.str();
  ASSERT_TRUE(write_whole_file(counts_path, "simd\n"));
  EXPECT_EQ(goals_command({run_path}, counts_path, out, error), 2);
  EXPECT_EQ(goals_command({"/nowhere/run.json"}, "", out, error), 2);
  std::filesystem::remove(run_path);
  std::filesystem::remove(counts_path);
}

TEST(CountCommand, CallsWhatItIsGiven) {
  std::ostringstream out, error;
  EXPECT_EQ(count_command("scalar", "onnx-tile-13 f32[2,3,4] x i64{1,2,3}", 3, out, error), 0);
  EXPECT_EQ(count_command("memset", "onnx-tile-13 f32[2,3,4] x i64{1,2,3}", 3, out, error), 0);
  EXPECT_EQ(out.str(),
            "scalar 3 onnx-tile-13 f32[2,3,4] x i64{1,2,3}\nmemset 3 onnx-tile-13 f32[2,3,4] x i64{1,2,3}\n");
}

TEST(CountCommand, SaysWhatItCannotCount) {
  std::ostringstream out, error;
  EXPECT_EQ(count_command("nobody", "onnx-tile-13 f32[2] x i64{2}", 1, out, error), 2);
  EXPECT_EQ(count_command("scalar", "onnx-tile-13 f32[2]", 1, out, error), 2);
  EXPECT_EQ(count_command("scalar", "onnx-tile-13 f32[2] x i64{-1}", 1, out, error), 2);
}

}  // namespace
}  // namespace certile
