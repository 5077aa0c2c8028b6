#include "conformance/plan/budget.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

TEST(Budget, ReadsCasesAndSeconds) {
  EXPECT_EQ(*parse_budget("1000"), Budget(std::int64_t{1000}));
  EXPECT_EQ(*parse_budget("30s"), Budget(std::chrono::seconds(30)));
}

TEST(Budget, PrintsBackWhatItRead) {
  for (const char* text : {"1", "1000", "1s", "30s", "1000000000"})
    EXPECT_EQ(to_string(*parse_budget(text)), text);
}

TEST(Budget, IsSaidInWords) {
  EXPECT_EQ(in_words(Budget(std::int64_t{1})), "1 case");
  EXPECT_EQ(in_words(Budget(std::int64_t{1000})), "1,000 cases");
  EXPECT_EQ(in_words(Budget(std::chrono::seconds(3600))), "3,600 s");
}

TEST(Budget, RefusesEverythingElse) {
  for (const char* text : {"", "s", "0", "0s", "-1", "+1", "1.5s", "30 s", "30ms", "1e3", "1000cases",
                           "1000000001", "99999999999999999999"})
    EXPECT_FALSE(parse_budget(text)) << text;
}

TEST(Budget, HasChunksThatAreAQuarterOfWhatWasAskedBefore) {
  EXPECT_EQ(end_of_chunk_of_budget(0), 64U);
  EXPECT_EQ(end_of_chunk_of_budget(64), 128U);
  EXPECT_EQ(end_of_chunk_of_budget(1000), 1250U);
  EXPECT_EQ(end_of_chunk_of_budget(100'000), 104'096U);
}

}  // namespace
}  // namespace certile::conformance
