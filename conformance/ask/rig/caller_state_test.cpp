#include "conformance/ask/rig/caller_state.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdint>

namespace certile::conformance {
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

#if defined(__x86_64__)
TEST(CallerState, KnowsTheOlderFloatingPointUnit) {
  const CallerState before = CallerState::now();
  std::uint16_t usual = 0;
  asm volatile("fnstcw %0" : "=m"(usual));
  const std::uint16_t of_24_bits = usual & 0xfcff;
  asm volatile("fldcw %0" : : "m"(of_24_bits));
  EXPECT_EQ(CallerState::now().changed_since(before), "the floating-point modes");
  asm volatile("fldcw %0" : : "m"(usual));
  EXPECT_EQ(CallerState::now().changed_since(before), "");
}

TEST(CallerState, KnowsVectorsOf64BitsThatWereNotGivenUp) {
  const CallerState before = CallerState::now();
  asm volatile("pxor %%mm0, %%mm0" : : : "mm0");
  const CallerState after = CallerState::now();
  asm volatile("emms");
  EXPECT_EQ(after.changed_since(before), "the floating-point modes");
  EXPECT_EQ(CallerState::now().changed_since(before), "");
}
#endif

TEST(CallerState, PutsBackWhatDiffers) {
  const CallerState before = CallerState::now();
  umask(0111);
  std::fesetround(FE_DOWNWARD);
  std::signal(SIGUSR2, SIG_IGN);
  std::setlocale(LC_ALL, "C.UTF-8");
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  sigprocmask(SIG_BLOCK, &some, nullptr);
  EXPECT_NE(CallerState::now().changed_since(before), "");
  before.put_back();
  EXPECT_EQ(CallerState::now().changed_since(before), "");
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
}  // namespace certile::conformance
