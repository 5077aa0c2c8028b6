#include "backends/shape/tile_plan.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/shape/plan_of_test.hpp"

namespace certile::backends {
namespace {

// Returns "2*3 5*1 run 12": repeats*extent of each level, outermost first.
std::string planned(const std::vector<TiledAxis>& axes, std::uint64_t element_bits) {
  const TilePlan plan = plan_of(axes, element_bits);
  std::string text;
  for (int level = 0; level < plan.count(); ++level)
    text += std::to_string(plan.levels()[level].repeats) + "*" + std::to_string(plan.levels()[level].extent) +
            " ";
  return text + "run " + std::to_string(plan.run_bits);
}

TEST(TilePlan, IsOneRunWhereNothingIsRepeated) {
  EXPECT_EQ(planned({}, 4), "run 4");
  EXPECT_EQ(planned({{2, 1}, {3, 1}}, 4), "run 24");
  EXPECT_EQ(planned({{1, 1}, {1, 1}}, 8), "run 8");
}

TEST(TilePlan, LetsTheInnermostAxisBeTheRun) {
  EXPECT_EQ(planned({{3, 2}}, 4), "2*1 run 12");
  EXPECT_EQ(planned({{1, 5}}, 1), "5*1 run 1");
}

TEST(TilePlan, JoinsWhatFollowsUnrepeatedWithTheLevelOutside) {
  EXPECT_EQ(planned({{3, 2}, {5, 1}, {7, 1}}, 2), "2*1 run 210");
  EXPECT_EQ(planned({{2, 1}, {3, 1}, {5, 4}}, 1), "1*6 4*1 run 5");
  EXPECT_EQ(planned({{2, 3}, {3, 1}, {5, 4}}, 1), "3*6 4*1 run 5");
}

TEST(TilePlan, MultipliesTheRepeatsOfARepeatedRepetition) {
  EXPECT_EQ(planned({{1, 2}, {1, 3}, {5, 4}}, 1), "24*1 run 5");
  EXPECT_EQ(planned({{2, 3}, {1, 4}, {5, 5}}, 1), "3*2 20*1 run 5");
}

TEST(TilePlan, DropsOnesAnywhere) {
  EXPECT_EQ(planned({{1, 1}, {2, 3}, {1, 1}, {4, 5}, {1, 1}}, 1), "3*2 5*1 run 4");
}

TEST(TilePlan, KeepsALeadingAxisThatNothingRepeats) {
  EXPECT_EQ(planned({{2, 1}, {3, 2}, {4, 3}}, 4), "1*2 2*3 3*1 run 16");
}

TEST(TilePlan, KeepsARunOfOneBitApartFromItsRepeats) {
  EXPECT_EQ(planned({{1, 5}}, 1), "5*1 run 1");
  EXPECT_EQ(planned({{1, 2}, {1, 5}}, 1), "10*1 run 1");
}

TEST(TilePlan, HoldsEveryOutputThatCanExist) {
  // 31 axes of 2 x 2 have 2^62 elements; no two of them can be joined.
  EXPECT_EQ(plan_of(std::vector<TiledAxis>(31, {2, 2}), 1).count(), 31);
  const TilePlan merged = plan_of(std::vector<TiledAxis>(62, {1, 2}), 1);
  EXPECT_EQ(merged.count(), 1);
  EXPECT_EQ(merged.levels()[0].repeats, std::uint64_t{1} << 62);
}

TEST(TilePlan, StaysTheSameWhenItIsCopied) {
  const TilePlan plan = plan_of({{2, 3}, {5, 7}}, 8);
  const TilePlan copy = plan;
  EXPECT_EQ(copy.count(), 2);
  EXPECT_EQ(copy.levels()[0].repeats, 3U);
  EXPECT_EQ(copy.levels()[1].repeats, 7U);
  EXPECT_EQ(copy.run_bits, 40U);
}

}  // namespace
}  // namespace certile::backends
