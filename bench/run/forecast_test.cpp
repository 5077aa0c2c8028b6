#include "bench/run/forecast.hpp"

#include <gtest/gtest.h>

namespace certile::bench {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

TEST(Forecast, OfATinyCaseIsItsBatchesOfTwoMilliseconds) {
  EXPECT_NEAR(expected_seconds(64, 5, 15, 3), 5 * 16 * 0.002, 1e-9);
}

TEST(Forecast, NothingTakesMoreThanTheBudget) {
  EXPECT_NEAR(expected_seconds(gibibyte, 4, 15, 3), 4 * 3, 1e-9);
  EXPECT_NEAR(expected_seconds(64, 4, 10'000, 0.5), 4 * 0.5, 1e-9);
}

TEST(Forecast, OneCallIsMadeHoweverSmallTheBudget) {
  EXPECT_GT(expected_seconds(gibibyte, 1, 15, 0.01), 0.2);
}

TEST(Forecast, LearnsFromWhatIsDone) {
  EXPECT_DOUBLE_EQ(seconds_left({1, 2, 3}, 0, 0), 6);
  EXPECT_DOUBLE_EQ(seconds_left({1, 2, 3}, 2, 6), 6) << "three were expected to be three, and took six";
  EXPECT_DOUBLE_EQ(seconds_left({1, 2, 3}, 3, 9), 0);
}

TEST(Forecast, DurationsHaveTheUnitThatOneWaitsIn) {
  EXPECT_EQ(duration_text(0.4), "less than a second");
  EXPECT_EQ(duration_text(1), "1 s");
  EXPECT_EQ(duration_text(99.4), "99 s");
  EXPECT_EQ(duration_text(260), "4 min");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
}

}  // namespace
}  // namespace certile::bench
