#include "conformance/isolation/caller_state.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cfenv>
#include <csignal>

namespace certile {
namespace {

TEST(CallerState, IsTheSameWhereNothingHappened) {
  const CallerState before = CallerState::now();
  EXPECT_EQ(CallerState::now().changed_since(before), "");
}

TEST(CallerState, IgnoresTheFlagsThatComputingSets) {
  const CallerState before = CallerState::now();
  std::feraiseexcept(FE_INEXACT | FE_OVERFLOW);
  EXPECT_EQ(CallerState::now().changed_since(before), "");
  std::feclearexcept(FE_ALL_EXCEPT);
}

TEST(CallerState, NamesEverythingThatDiffers) {
  const CallerState before = CallerState::now();
  const mode_t mask = umask(0111);
  std::fesetround(FE_DOWNWARD);
  const auto handler = std::signal(SIGUSR2, SIG_IGN);
  const std::string changed = CallerState::now().changed_since(before);
  std::signal(SIGUSR2, handler);
  std::fesetround(FE_TONEAREST);
  umask(mask);
  EXPECT_EQ(changed, "the floating-point modes, the handlers of signals, the umask");
  EXPECT_EQ(CallerState::now().changed_since(before), "");
}

}  // namespace
}  // namespace certile
