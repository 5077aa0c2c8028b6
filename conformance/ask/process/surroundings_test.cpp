#include "conformance/ask/process/surroundings.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

constexpr Surroundings bare = Surroundings::bare(), of_a_user = Surroundings::of_a_user();

TEST(Surroundings, AreNamedByTheirDifference) {
  EXPECT_EQ(difference_in_words(bare.with(Surrounding::home, of_a_user), bare),
            "it fails where HOME is set, and passes where it is not");
  EXPECT_EQ(difference_in_words(bare, bare.with(Surrounding::threads, of_a_user)),
            "it fails where OMP_NUM_THREADS is not set, and passes where it is");
  EXPECT_EQ(difference_in_words(of_a_user.with(Surrounding::sanitizer, of_a_user),
                                of_a_user.with(Surrounding::sanitizer, bare)),
            "it fails where ASAN_OPTIONS is not set, and passes where it is");
  EXPECT_EQ(difference_in_words(bare.with(Surrounding::program, of_a_user), bare),
            "it fails where the program is called python3, and passes where it is called certile");
  EXPECT_EQ(difference_in_words(bare.with(Surrounding::rounding, of_a_user), bare),
            "it fails where floating-point numbers are rounded up, and passes where they are not");
  EXPECT_EQ(difference_in_words(bare.with(Surrounding::stack, of_a_user), bare),
            "it fails where a stack has 1 MiB, and passes where it has 8 MiB");
}

TEST(Surroundings, AreNamedTogetherIfSeveralAreNeeded) {
  const Surroundings both = bare.with(Surrounding::home, of_a_user).with(Surrounding::user, of_a_user);
  EXPECT_EQ(difference_in_words(both, bare),
            "it fails where HOME is set and USER is set, and passes elsewhere");
}

TEST(Surroundings, AlternateWithTheOthers) {
  EXPECT_EQ(bare.other(), of_a_user);
  EXPECT_EQ(of_a_user.other(), bare);
}

}  // namespace
}  // namespace certile::conformance
