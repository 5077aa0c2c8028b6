#include "bench/report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "bench/report/synthetic_run_test.hpp"

namespace certile::bench {
namespace {

std::string summary_of(const BenchRun& run, std::size_t columns = 80) {
  std::ostringstream out;
  write_summary(out, run, columns);
  return out.str();
}

// Returns a run of `quick` against `plain`, which is ten times as slow, twice as fast and as fast.
BenchRun mixed_run() {
  BenchRun run = synthetic_run();
  for (TimedCase& timed : run.cases)
    timed.subjects.resize(2);
  run.cases[1].subjects[1].hot = rounds_around(8.0 * 1048576 / 180);
  run.cases[2].subjects[1].hot = run.cases[2].subjects[0].hot;
  return run;
}

TEST(BenchSummary, AnswersInFiveLinesThenShowsACaseALine) {
  EXPECT_EQ(summary_of(mixed_run()),
            "quick against plain, 3 cases: faster in 1, slower in 1, no difference in 1\n"
            "  speed     1.00 times as fast as plain in the median, 0.50 to 10.0\n"
            "  worst     0.50  onnx-tile-13 f32[5,1,12800] x i64{1,32,1}\n"
            "  best      10.0  onnx-tile-13 f32[2,3,4] x i64{1,2,3}\n"
            "  share of the reference: tiny=0.90, rows=1.12\n"
            "\n"
            "Each case, the slowest first. Left of the middle: slower than plain; right:\n"
            "  faster; no bar: no difference. Half a bar is a factor of 10.0.\n"
            "   0.50        ##|          onnx-tile-13 f32[5,1,12800] x i64{1,32,1}\n"
            "   1.00          |          onnx-tile-13 f32[4096,4096] x i64{2,1}\n"
            "   10.0          |########  onnx-tile-13 f32[2,3,4] x i64{1,2,3}\n"
            "\n"
            "--verbose adds times, intervals, cold caches and the machine.\n"
            "  docs/benchmarking.md explains regimes and the reference.\n");
}

TEST(BenchSummary, HasFiveLinesForEachOfSeveralBackends) {
  const std::string summary = summary_of(synthetic_run());
  EXPECT_NE(summary.find("quick against plain, 3 cases: faster in 3, slower in 0, no difference in 0\n"),
            std::string::npos)
      << summary;
  EXPECT_NE(summary.find("\n\nbroken against plain, 2 cases: faster in 2,"), std::string::npos) << summary;
  EXPECT_EQ(summary.find("Each case"), std::string::npos) << summary;
  EXPECT_NE(summary.find("Name one backend for a line for each case."), std::string::npos) << summary;
}

TEST(BenchSummary, SaysWhatWasLeftOutAndWhyTheFirst) {
  const std::string summary = summary_of(synthetic_run());
  EXPECT_NE(summary.find("  left out     1  onnx-tile-13 f32[2,3,4] x i64{1,2,3}\n"
                         "                  fail: element [0,0,4] is 0x0, expected 0x3f800000\n"),
            std::string::npos)
      << summary;
}

TEST(BenchSummary, ACaseThatTheBaselineFailedIsNotCompared) {
  BenchRun run = mixed_run();
  run.cases[0].subjects[1].hot.reset();
  run.cases[0].subjects[1].verdict = Verdict::fail;
  run.cases[0].subjects[1].why = "crashed";
  const std::string summary = summary_of(run);
  EXPECT_NE(summary.find("quick against plain, 2 cases: faster in 0, slower in 1, no difference in 1\n"),
            std::string::npos)
      << summary;
  EXPECT_NE(summary.find("  left out     1  onnx-tile-13 f32[2,3,4] x i64{1,2,3}\n"
                         "                  plain: fail: crashed\n"),
            std::string::npos)
      << summary;
}

TEST(BenchSummary, WithoutABaselineShowsSharesOfTheReference) {
  BenchRun run = mixed_run();
  run.baseline.clear();
  for (TimedCase& timed : run.cases)
    timed.subjects.resize(1);
  const std::string summary = summary_of(run);
  EXPECT_EQ(summary.rfind("quick, 3 cases; --baseline NAME compares with another\n"
                          "  speed     0.90 of the reference in the median, 0.90 to 1.35\n",
                          0),
            0u)
      << summary;
  EXPECT_NE(summary.find("   0.90  ###############    onnx-tile-13 f32[2,3,4] x i64{1,2,3}\n"),
            std::string::npos)
      << summary;
}

TEST(BenchSummary, TooFewRoundsAreNoAnswer) {
  BenchRun run = mixed_run();
  for (TimedCase& timed : run.cases)
    for (Subject& subject : timed.subjects)
      subject.hot->nanoseconds.resize(5);
  const std::string summary = summary_of(run);
  EXPECT_NE(summary.find("faster in 0, slower in 0, no difference in 0, too\n  few rounds in 3\n"),
            std::string::npos)
      << summary;
  EXPECT_NE(summary.find("   10.0          ?          onnx-tile-13 f32[2,3,4]"), std::string::npos)
      << summary;
}

TEST(BenchSummary, FitsItsColumnsWithPathsAndLongCases) {
  BenchRun run = mixed_run();
  run.baseline = "/a/very/long/path/to/a/library/that/has/a/name/libplain.so";
  for (TimedCase& timed : run.cases) {
    timed.literal += std::string(100, '1');
    timed.subjects[0].name = "./a/very/long/path/to/a/library/that/has/a/name/libquick.so";
    timed.subjects[1].name = run.baseline;
  }
  for (const std::size_t columns : {60u, 80u, 143u}) {
    std::istringstream lines(summary_of(run, columns));
    for (std::string line; std::getline(lines, line);) {
      const auto characters = std::ranges::count_if(line, [](char each) { return (each & 0xc0) != 0x80; });
      EXPECT_LE(static_cast<std::size_t>(characters), columns) << line;
    }
  }
  EXPECT_NE(summary_of(run).find("…as/a/name/libquick.so"), std::string::npos) << summary_of(run);
}

TEST(BenchSummary, MakesEscapesOfAStrangerVisible) {
  BenchRun run = synthetic_run();
  run.cases[0].subjects[0].name = "\x1b[2Jquick";
  run.cases[0].subjects[2].why = "\x1b[2J";
  EXPECT_EQ(summary_of(run).find('\x1b'), std::string::npos);
}

TEST(BenchSummary, OfNothingIsOneSentence) {
  EXPECT_EQ(summary_of(BenchRun{}).find("nothing was timed"), 0u) << summary_of(BenchRun{});
}

}  // namespace
}  // namespace certile::bench
