#include "bench/run/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/report/synthetic_run_test.hpp"

namespace certile::bench {
namespace {

Measured hot(const BenchRun& run, std::size_t which, std::string_view subject) {
  return *measured(run, run.cases[which], *find_subject(run.cases[which], subject), Temperature::hot);
}

TEST(Shares, LimitIsTheFastestWayToWrite) {
  const BenchRun run = synthetic_run();
  EXPECT_EQ(writing_limit(run.cases[0], Temperature::hot, 1)->probe, Probe::fill);
  BenchRun beyond_caches = run;
  beyond_caches.cases[1].limits[1].hot = rounds_around(1);
  EXPECT_EQ(writing_limit(beyond_caches.cases[1], Temperature::hot, 1)->probe, Probe::fill_non_temporal);
}

TEST(Shares, LimitOfATinyOutputIsACallThatFillsIt) {
  BenchRun run = synthetic_run();
  run.cases[0].limits.push_back(limit_taking(Probe::call, 1, 25));  // slower than a fill
  EXPECT_EQ(writing_limit(run.cases[0], Temperature::hot, 1)->probe, Probe::call);
  EXPECT_NEAR(hot(run, 0, "quick").share->median, 1.25, 1e-9);
}

TEST(Shares, StringStoresAndTheLibraryAreLimitsAsWell) {
  BenchRun run = synthetic_run();
  run.cases[1].limits.push_back(limit_taking(Probe::fill_string, 1, 1));
  EXPECT_EQ(writing_limit(run.cases[1], Temperature::hot, 1)->probe, Probe::fill_string);
  for (const Probe probe : {Probe::copy_string, Probe::memcpy}) {
    run.cases[1].limits.back() = limit_taking(probe, 1, 1);
    EXPECT_EQ(copying_limit(run.cases[1], Temperature::hot, 1)->probe, probe);
  }
}

TEST(Shares, ShareIsLimitTimeOverSubjectTime) {
  const Measured figures = hot(synthetic_run(), 0, "quick");
  EXPECT_NEAR(figures.share->median, 0.9, 1e-9);
  EXPECT_NEAR(figures.share->best, 0.9, 1e-9);
  EXPECT_NEAR(figures.bytes_per_second, 576 / 20e-9, 1);
}

TEST(Shares, InputBeyondTheSecondCacheCountsAsMoved) {
  const BenchRun run = synthetic_run();
  EXPECT_EQ(bytes_moved(run.cases[1], run.machine), 8 * 1048576u);
  EXPECT_EQ(bytes_moved(run.cases[2], run.machine), 192 * 1048576u);
  EXPECT_NEAR(hot(run, 2, "quick").share->median, 0.9 * 1.5, 1e-9);
}

TEST(Shares, WhoeverKeepsTwoCoresBusyIsHeldToTheLimitOfTwo) {
  BenchRun run = synthetic_run();
  run.cases[1].subjects[0].hot->cores = 1.2;
  EXPECT_EQ(hot(run, 1, "quick").threads, 1);
  run.cases[1].subjects[0].hot->cores = 1.3;
  EXPECT_EQ(hot(run, 1, "quick").threads, 2);
  EXPECT_NEAR(hot(run, 1, "quick").share->median, 90.0 / 190, 1e-9);
}

TEST(Shares, NearestMeasuredThreadCountIsTaken) {
  TimedCase timed;
  for (const int threads : {1, 2, 4, 8})
    timed.limits.push_back(limit_taking(Probe::fill, threads, 1));
  EXPECT_EQ(fair_threads(timed, 3.0), 2);
  EXPECT_EQ(fair_threads(timed, 3.1), 4);
  EXPECT_EQ(fair_threads(timed, 64), 8);
  EXPECT_EQ(fair_threads(timed, 0.4), 1);
}

TEST(Shares, CopyingLimitComparesTimes) {
  EXPECT_NEAR(hot(synthetic_run(), 1, "quick").copy_share->median, 90.0 / 95, 1e-9);
  EXPECT_FALSE(hot(synthetic_run(), 0, "quick").copy_share);
}

TEST(Shares, RatioToTheBaselineIsPairedAndTheBaselineHasNone) {
  const BenchRun run = synthetic_run();
  EXPECT_NEAR(hot(run, 0, "quick").to_baseline->ratio, 10, 1e-9);
  EXPECT_EQ(hot(run, 0, "quick").to_baseline->word, Word::faster);
  EXPECT_FALSE(hot(run, 0, "plain").to_baseline);
}

TEST(Shares, WhatWasNotTimedHasNoFigures) {
  const BenchRun run = synthetic_run();
  EXPECT_FALSE(measured(run, run.cases[0], *find_subject(run.cases[0], "broken"), Temperature::hot));
  EXPECT_FALSE(measured(run, run.cases[0], *find_subject(run.cases[0], "quick"), Temperature::cold));
}

TEST(Shares, ColdIsHeldToTheColdLimit) {
  const BenchRun run = synthetic_run();
  const auto cold = measured(run, run.cases[1], run.cases[1].subjects[0], Temperature::cold);
  EXPECT_NEAR(cold->share->median, 0.9, 1e-9);
}

}  // namespace
}  // namespace certile::bench
