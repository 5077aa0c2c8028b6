#include "bench/report/compare.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "bench/report/report_json.hpp"
#include "bench/report/synthetic_run_test.hpp"
#include "conformance/text/output_file.hpp"

namespace certile {
namespace {

// A file in the temporary folder that goes away with its test.
class RunFile {
 public:
  explicit RunFile(const BenchRun& run) : RunFile(to_json(run)) {}
  explicit RunFile(const std::string& text) {
    static int files = 0;
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            ("certile_bench_" + std::string(test->name()) + std::to_string(files++) + ".json");
    EXPECT_TRUE(write_whole_file(path_.string(), text));
  }
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;
  ~RunFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

void slow_down(std::optional<Rounds>& rounds, double factor) {
  if (!rounds) return;
  for (double& time : rounds->nanoseconds)
    time *= factor;
}

// The first subject of the second case takes that much longer.
BenchRun slower_by(double factor) {
  BenchRun run = synthetic_run();
  slow_down(run.cases[1].subjects[0].hot, factor);
  return run;
}

BenchRun on_a_machine_slower_by(double factor) {
  BenchRun run = synthetic_run();
  for (TimedCase& timed : run.cases) {
    for (Subject& subject : timed.subjects) {
      slow_down(subject.hot, factor);
      slow_down(subject.cold, factor);
    }
    for (Limit& limit : timed.limits) {
      slow_down(limit.hot, factor);
      slow_down(limit.cold, factor);
    }
  }
  return run;
}

struct Answer {
  int code = 0;
  std::string out, error;
};

Answer compared(const BenchRun& before, const BenchRun& after, const CompareOptions& options = {}) {
  const RunFile old_file(before), new_file(after);
  std::ostringstream out, error;
  const int code = compare_command(old_file.path(), new_file.path(), options, out, error);
  return {code, out.str(), error.str()};
}

Answer gated(const BenchRun& run, const std::string& rule, const CompareOptions& options = {}) {
  std::ostringstream out, error;
  const int code = gate(run, rule, options, out, error);
  return {code, out.str(), error.str()};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CompareRuns, OfTheSameRunIsNoDifferenceAnywhere) {
  const Answer answer = compared(synthetic_run(), synthetic_run());
  EXPECT_EQ(answer.code, 0);
  EXPECT_TRUE(contains(answer.out, "9 figures compared: 0 faster, 0 slower, 9 no difference")) << answer.out;
}

TEST(CompareRuns, RegressionBeyondTheNoiseIsOne) {
  const Answer answer = compared(synthetic_run(), slower_by(1.2));
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(contains(answer.out, "0 faster, 1 slower")) << answer.out;
}

TEST(CompareRuns, RegressionWithinTheNoiseIsNone) {
  EXPECT_EQ(compared(synthetic_run(), slower_by(1.04)).code, 0);
  EXPECT_EQ(compared(synthetic_run(), slower_by(1.2), {.noise = 0.25}).code, 0);
  EXPECT_EQ(compared(synthetic_run(), slower_by(1.04), {.noise = 0.02}).code, 1);
}

TEST(CompareRuns, ImprovementIsNoRegression) {
  const Answer answer = compared(slower_by(1.5), synthetic_run());
  EXPECT_EQ(answer.code, 0);
  EXPECT_TRUE(contains(answer.out, "1 faster, 0 slower")) << answer.out;
}

TEST(CompareRuns, SpreadOfTheRoundsWidensTheBound) {
  BenchRun before = synthetic_run(), after = slower_by(1.2);
  std::vector<double>& times = before.cases[1].subjects[0].hot->nanoseconds;
  for (std::size_t round = 0; round < times.size(); ++round)
    times[round] *= round % 2 == 0 ? 0.7 : 1.3;
  EXPECT_EQ(compared(before, after).code, 0);
}

TEST(CompareRuns, SlowerMachineIsNoRegressionOfShares) {
  EXPECT_EQ(compared(synthetic_run(), on_a_machine_slower_by(2)).code, 0);
  EXPECT_EQ(compared(synthetic_run(), on_a_machine_slower_by(2), {.by_time = true}).code, 1);
}

TEST(CompareRuns, AnotherMachineIsAWarning) {
  BenchRun after = synthetic_run();
  after.machine.processor = "Example 9001";
  EXPECT_TRUE(contains(compared(synthetic_run(), after).out,
                       "warning: the processors differ: Example 9000 before, Example 9001 now"));
}

TEST(CompareRuns, CasesInOnlyOneAreListed) {
  BenchRun after = synthetic_run();
  after.cases.pop_back();
  after.cases[0].subjects[1].name = "other";
  const Answer answer = compared(synthetic_run(), after);
  EXPECT_EQ(answer.code, 0);
  EXPECT_TRUE(contains(answer.out, "only in the old run: quick/onnx-tile-13 f32[4096,4096] x i64{2,1}\n"));
  EXPECT_TRUE(contains(answer.out, "only in the new run: other/onnx-tile-13 f32[2,3,4] x i64{1,2,3}\n"));
}

TEST(CompareRuns, CaseThatFailsNowIsARegression) {
  BenchRun after = synthetic_run();
  after.cases[0].subjects[0].hot.reset();
  after.cases[0].subjects[0].verdict = Verdict::fail;
  const Answer answer = compared(synthetic_run(), after);
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(contains(answer.out, "fails now: quick/onnx-tile-13 f32[2,3,4] x i64{1,2,3}\n"));
}

TEST(CompareRuns, NothingInCommonIsTwo) {
  BenchRun after = synthetic_run();
  for (TimedCase& timed : after.cases)
    timed.literal += " ";
  EXPECT_EQ(compared(synthetic_run(), after).code, 2);
}

TEST(CompareRuns, UnreadableFileIsTwoAndNamed) {
  const RunFile good(synthetic_run()), bad(std::string("{"));
  std::ostringstream out, error;
  EXPECT_EQ(compare_command(good.path(), bad.path(), {}, out, error), 2);
  EXPECT_EQ(error.str(), "certile-bench: " + bad.path() + ": not JSON, or cut short\n");
  EXPECT_EQ(compare_command("/nowhere/run.json", good.path(), {}, out, error), 2);
}

TEST(Gate, AgainstAnOlderRunIsACompare) {
  BenchRun passing = slower_by(1.2), before = synthetic_run();
  passing.cases[0].subjects.pop_back();
  const RunFile file(before);
  EXPECT_EQ(gated(passing, file.path()).code, 1);
  passing.cases[1] = before.cases[1];
  EXPECT_EQ(gated(passing, file.path()).code, 0);
  EXPECT_EQ(gated(passing, "/nowhere/run.json").code, 2);
}

TEST(Gate, OfTheBaselineIsBrokenByWhatIsSlower) {
  BenchRun run = synthetic_run();
  run.cases[0].subjects.pop_back();
  EXPECT_EQ(gated(run, "baseline").code, 0);
  run.baseline = "quick";
  const Answer answer = gated(run, "baseline");
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(contains(answer.out, "slower than quick: plain on onnx-tile-13 f32[2,3,4] x i64{1,2,3}"));
}

TEST(Gate, OfTheBaselineMayBeOfOneSubject) {
  BenchRun run = synthetic_run();
  run.cases[0].subjects.pop_back();
  run.baseline = "broken";
  EXPECT_EQ(gated(run, "baseline").code, 1);
  EXPECT_EQ(gated(run, "baseline:quick").code, 0);
  EXPECT_EQ(gated(run, "baseline:nobody").code, 2);
}

TEST(Gate, IsBrokenByAFailure) {
  const Answer answer = gated(synthetic_run(), "baseline:quick");
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(contains(answer.out, "fails: broken on onnx-tile-13 f32[2,3,4] x i64{1,2,3}: element [0,0,4]"));
}

}  // namespace
}  // namespace certile
