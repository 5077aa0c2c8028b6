#include "bench/timing/measure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace certile::bench {
namespace {

// A timed call that reports a fixed time for each call, without taking it, and records when it is called.
class Scripted : public TimedCall {
 public:
  Scripted(char name, double nanoseconds, std::string& log)
      : name_(name), nanoseconds_(nanoseconds), log_(log) {}
  bool is_elsewhere() const noexcept override { return true; }
  void run(benchmark::State& state, Temperature temperature) override {
    log_ += temperature == Temperature::hot ? name_ : static_cast<char>(name_ - 'a' + 'A');
    const bool fails_now = fails_after_ == 1;
    if (fails_after_ > 0) --fails_after_;
    if (fails_now) return state.SkipWithError("it gave up");
    while (state.KeepRunningBatch(state.max_iterations))
      state.SetIterationTime(nanoseconds_ * 1e-9 * static_cast<double>(state.max_iterations));
    state.counters[processor_seconds] = 2 * nanoseconds_ * 1e-9 * static_cast<double>(state.max_iterations);
  }
  void fail_after(int batches) { fails_after_ = batches; }

 private:
  char name_;
  double nanoseconds_;
  std::string& log_;
  int fails_after_ = 0;
};

MeasureOptions options_for_tests() {
  MeasureOptions options;
  options.rounds = 5;
  options.batch_seconds = 1e-3;
  options.entry_seconds = 1;
  return options;
}

TEST(Measure, GivesARoundsTimeOfOneCallAndTheCoresItKept) {
  std::string log;
  Scripted timed_call('a', 1000, log);
  std::optional<Rounds> hot;
  std::vector<Entry> entries{{&timed_call, &hot, nullptr}};
  ASSERT_TRUE(measure(entries, options_for_tests()));
  ASSERT_TRUE(hot);
  ASSERT_EQ(hot->nanoseconds.size(), 5u);
  EXPECT_NEAR(hot->nanoseconds[0], 1000, 1e-3);
  EXPECT_EQ(hot->calls, 1000);
  EXPECT_NEAR(hot->cores, 2, 1e-6);
}

TEST(Measure, ABatchHasAtLeastFourCalls) {
  std::string log;
  Scripted timed_call('a', 5e6, log);
  std::optional<Rounds> hot;
  std::vector<Entry> entries{{&timed_call, &hot, nullptr}};
  ASSERT_TRUE(measure(entries, options_for_tests()));
  EXPECT_EQ(hot->calls, 4);
}

TEST(Measure, WhatIsTooSlowGetsFewerCallsThenFewerRounds) {
  std::string log;
  Scripted slow('a', 5e7, log), slower('b', 2e8, log), slowest('c', 5e9, log);
  std::optional<Rounds> results[3];
  std::vector<Entry> entries{
      {&slow, &results[0], nullptr}, {&slower, &results[1], nullptr}, {&slowest, &results[2], nullptr}};
  ASSERT_TRUE(measure(entries, options_for_tests()));
  EXPECT_EQ(results[0]->calls, 3);
  EXPECT_EQ(results[0]->nanoseconds.size(), 5u);
  EXPECT_EQ(results[1]->calls, 1);
  EXPECT_EQ(results[1]->nanoseconds.size(), 2u);
  EXPECT_EQ(results[2]->calls, 1);
  EXPECT_EQ(results[2]->nanoseconds.size(), 1u);
}

std::string order_with_seed(std::uint64_t seed) {
  std::string log;
  Scripted first('a', 1e6, log), second('b', 1e6, log), third('c', 1e6, log);
  std::optional<Rounds> results[6];
  std::vector<Entry> entries{{&first, &results[0], &results[1]},
                             {&second, &results[2], &results[3]},
                             {&third, &results[4], &results[5]}};
  MeasureOptions options = options_for_tests();
  options.seed = seed;
  measure(entries, options);
  return log;
}

TEST(Measure, TheSeedDecidesTheOrder) {
  EXPECT_EQ(order_with_seed(3), order_with_seed(3));
  EXPECT_NE(order_with_seed(3), order_with_seed(4));
}

TEST(Measure, EachRoundHasEachOnceHotAndCold) {
  std::string log = order_with_seed(3);
  ASSERT_GT(log.size(), 30u);
  std::string round = log.substr(log.size() - 6);
  std::sort(round.begin(), round.end());
  EXPECT_EQ(round, "ABCabc");
}

TEST(Measure, AFailureCostsOnlyItsOwnResult) {
  std::string log;
  Scripted good('a', 1e6, log), bad('b', 1e6, log);
  bad.fail_after(3);
  std::optional<Rounds> results[2];
  std::vector<Entry> entries{{&good, &results[0], nullptr}, {&bad, &results[1], nullptr}};
  ASSERT_TRUE(measure(entries, options_for_tests()));
  EXPECT_TRUE(results[0]);
  EXPECT_FALSE(results[1]);
  EXPECT_EQ(entries[0].failure, "");
  EXPECT_EQ(entries[1].failure, "it gave up");
}

TEST(Measure, StopsWhenTold) {
  std::string log;
  Scripted timed_call('a', 1000, log);
  std::optional<Rounds> hot;
  std::vector<Entry> entries{{&timed_call, &hot, nullptr}};
  MeasureOptions options = options_for_tests();
  options.stop = [] { return true; };
  EXPECT_FALSE(measure(entries, options));
  EXPECT_EQ(log, "");
}

}  // namespace
}  // namespace certile::bench
