#include "conformance/text/suggestion.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

const std::vector<std::string> names{"scalar", "simd", "simd-avx2", "eigen"};

TEST(Suggestion, IsTheNameThatIsOneOrTwoLettersAway) {
  EXPECT_EQ(suggestion("sclar", names), "; did you mean scalar?");
  EXPECT_EQ(suggestion("scalra", names), "; did you mean scalar?");
  EXPECT_EQ(suggestion("simd-avx", names), "; did you mean simd-avx2?");
  EXPECT_EQ(suggestion("simdd", names), "; did you mean simd?");
}

TEST(Suggestion, IsNothingForAnotherWord) {
  EXPECT_EQ(suggestion("xtensor", names), "");
  EXPECT_EQ(suggestion("", names), "");
  EXPECT_EQ(suggestion("ab", {"cd", "x"}), "");
  EXPECT_EQ(suggestion(std::string(5000, 's'), names), "");
}

}  // namespace
}  // namespace certile::conformance
