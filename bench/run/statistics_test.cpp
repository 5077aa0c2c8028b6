#include "bench/run/statistics.hpp"

#include <gtest/gtest.h>

namespace certile::bench {
namespace {

TEST(Statistics, MedianOfAnEvenNumberLiesBetweenTheMiddleTwo) {
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
}

TEST(Statistics, FiguresAreMedianBestAndTenths) {
  const std::vector<double> times = {10, 0, 9, 1, 8, 2, 7, 3, 6, 4, 5};
  EXPECT_EQ(figures_of(times), (Figures{.median = 5, .best = 0, .low = 1, .high = 9}));
}

TEST(Statistics, ClearDifferenceIsCalledByItsName) {
  const std::vector<double> quick = {10, 11, 10, 12, 10, 11, 10, 11, 10, 10};
  const std::vector<double> slow = {20, 22, 21, 25, 20, 22, 20, 23, 20, 20};
  EXPECT_EQ(compare_paired(quick, slow).word, Word::faster);
  EXPECT_EQ(compare_paired(slow, quick).word, Word::slower);
}

TEST(Statistics, NoiseIsNoDifference) {
  const std::vector<double> one = {10, 30, 12, 28, 11, 29, 13, 27, 10, 30};
  const std::vector<double> other = {30, 10, 28, 12, 29, 11, 27, 13, 30, 10};
  EXPECT_EQ(compare_paired(one, other).word, Word::no_difference);
}

TEST(Statistics, DifferenceBelowTheMinimumEffectIsNone) {
  const std::vector<double> one(20, 100.0), other(20, 101.0);
  EXPECT_EQ(compare_paired(one, other).word, Word::no_difference);
}

TEST(Statistics, RoundsThatSufferTogetherAreComparedWithinTheRound) {
  const std::vector<double> one = {10, 100, 20, 500, 15, 80, 12};
  const std::vector<double> other = {12, 120, 24, 600, 18, 96, 14.4};
  const Comparison paired = compare_paired(one, other);
  EXPECT_DOUBLE_EQ(paired.ratio, 1.2);
  EXPECT_EQ(paired.word, Word::faster);
}

TEST(Statistics, FiveRoundsAreTooFewForThePairedWord) {
  const std::vector<double> quick(5, 1.0), slow(5, 2.0);
  EXPECT_EQ(compare_paired(quick, slow).word, Word::too_few_rounds);
  EXPECT_EQ(compare_paired(quick, slow).ratio, 2);
  EXPECT_EQ(compare_paired(std::vector<double>(6, 1.0), std::vector<double>(6, 2.0)).word, Word::faster);
}

// Tables of the sign test: 15 values, 95 %: the 4th of either end.
TEST(Statistics, PairedIntervalIsTheOneOfTheSignTest) {
  std::vector<double> ones(15, 1.0), growing;
  for (int round = 1; round <= 15; ++round)
    growing.push_back(round);
  const Comparison comparison = compare_paired(ones, growing);
  EXPECT_EQ(comparison.low, 4);
  EXPECT_EQ(comparison.high, 12);
}

}  // namespace
}  // namespace certile::bench
