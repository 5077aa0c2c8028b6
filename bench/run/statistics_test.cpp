#include "bench/run/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace certile {
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
  EXPECT_EQ(compare_unpaired(quick, slow).word, Word::faster);
  EXPECT_EQ(compare_unpaired(slow, quick).word, Word::slower);
}

TEST(Statistics, NoiseIsNoDifference) {
  const std::vector<double> one = {10, 30, 12, 28, 11, 29, 13, 27, 10, 30};
  const std::vector<double> other = {30, 10, 28, 12, 29, 11, 27, 13, 30, 10};
  EXPECT_EQ(compare_paired(one, other).word, Word::no_difference);
  EXPECT_EQ(compare_unpaired(one, other).word, Word::no_difference);
}

TEST(Statistics, DifferenceBelowTheMinimumEffectIsNone) {
  const std::vector<double> one(20, 100.0), other(20, 101.0);
  EXPECT_EQ(compare_paired(one, other).word, Word::no_difference);
  EXPECT_EQ(compare_paired(one, other, 0.005).word, Word::faster);
}

TEST(Statistics, RoundsThatSufferTogetherAreComparedWithinTheRound) {
  const std::vector<double> one = {10, 100, 20, 500, 15, 80, 12};
  const std::vector<double> other = {12, 120, 24, 600, 18, 96, 14.4};
  const Comparison paired = compare_paired(one, other);
  EXPECT_DOUBLE_EQ(paired.ratio, 1.2);
  EXPECT_EQ(paired.word, Word::faster);
  EXPECT_EQ(compare_unpaired(one, other).word, Word::no_difference);
}

TEST(Statistics, FiveRoundsAreTooFewForThePairedWord) {
  const std::vector<double> quick(5, 1.0), slow(5, 2.0);
  EXPECT_EQ(compare_paired(quick, slow).word, Word::too_few_rounds);
  EXPECT_EQ(compare_paired(quick, slow).ratio, 2);
  EXPECT_EQ(compare_paired(std::vector<double>(6, 1.0), std::vector<double>(6, 2.0)).word, Word::faster);
}

TEST(Statistics, ThreeRoundsAreTooFewForTheUnpairedWord) {
  EXPECT_EQ(compare_unpaired(std::vector<double>{1, 1, 1}, std::vector<double>{2, 2, 2}).word,
            Word::too_few_rounds);
  EXPECT_EQ(compare_unpaired(std::vector<double>(4, 1.0), std::vector<double>(4, 2.0)).word, Word::faster);
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

// Tables of Mann and Whitney's U: for 5 and 5 values the critical value is 2, so the 3rd of either end.
TEST(Statistics, UnpairedIntervalIsTheOneOfMannAndWhitney) {
  const std::vector<double> powers = {1, 32, 1024, 32768, 1048576};  // all 25 ratios to the others differ
  const std::vector<double> others = {1, 2, 4, 8, 16};
  const Comparison comparison = compare_unpaired(powers, others);
  std::vector<double> ratios;
  for (const double power : powers) {
    for (const double other : others)
      ratios.push_back(other / power);
  }
  std::sort(ratios.begin(), ratios.end());
  EXPECT_EQ(comparison.low, ratios[2]);
  EXPECT_EQ(comparison.high, ratios[22]);
  EXPECT_EQ(comparison.ratio, ratios[12]);
}

TEST(Statistics, ManyRoundsGiveANarrowIntervalAroundTheRatio) {
  std::vector<double> one, other;
  for (int round = 0; round < 60; ++round) {
    one.push_back(100 + (round * 7) % 11);
    other.push_back(120 + (round * 5) % 11);
  }
  const Comparison comparison = compare_unpaired(one, other);
  EXPECT_GT(comparison.low, 1.15);
  EXPECT_LT(comparison.high, 1.25);
}

TEST(Statistics, GeometricMeanOfARatioAndItsInverseIsOne) {
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{4, 0.25}), 1);
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{2, 8}), 4);
  EXPECT_EQ(geometric_mean({}), 0);
}

}  // namespace
}  // namespace certile
