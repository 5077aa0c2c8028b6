#include "bench/run/suite.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"

namespace certile::bench {
namespace {

std::vector<std::string> literals(const Suite& suite) {
  std::vector<std::string> all;
  for (const TimedCase& each : suite.cases)
    all.push_back(to_string(each.question));
  return all;
}

TEST(RandomSuite, ASeedAlwaysGivesTheSameCases) {
  EXPECT_EQ(literals(random_suite(50, 7)), literals(random_suite(50, 7)));
}

TEST(RandomSuite, FewerCasesAreTheFirstOfMore) {
  const auto many = literals(random_suite(50, 7));
  EXPECT_EQ(literals(random_suite(20, 7)), std::vector<std::string>(many.begin(), many.begin() + 20));
}

TEST(RandomSuite, AnotherSeedGivesOthers) {
  EXPECT_NE(literals(random_suite(50, 7)), literals(random_suite(50, 8)));
}

TEST(RandomSuite, KeepsItsSizesAndHasEveryWidth) {
  std::set<int> widths;
  for (const TimedCase& each : random_suite(500, 1).cases) {
    widths.insert(bits(each.question.data.type()));
    const auto shape = oracle::output_shape(each.question);
    const auto bytes = byte_size(each.question.data.type(), *element_count(*shape));
    EXPECT_GE(*bytes, 64u) << to_string(each.question);
    EXPECT_LE(*bytes, std::size_t{256} << 20) << to_string(each.question);
  }
  EXPECT_EQ(widths, (std::set<int>{1, 2, 3, 4, 6, 8, 16, 32, 64, 128}));
}

}  // namespace
}  // namespace certile::bench
