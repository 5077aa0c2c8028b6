#include "conformance/ask/rig/caller_state.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

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
  EXPECT_EQ(after.changed_since(before), "the x87 registers in use (MMX instructions without emms?)");
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

// Returns the words for what `change` changes; the state is then put back, and nothing differs any more.
std::string words_of(const std::function<void()>& change) {
  const CallerState before = CallerState::now();
  change();
  std::string words = CallerState::now().changed_since(before);
  before.put_back();
  EXPECT_EQ(CallerState::now().changed_since(before), "") << "put back: " << words;
  return words;
}

TEST(CallerState, KnowsTheThreadsLocale) {
  const locale_t other = newlocale(LC_ALL_MASK, "C", nullptr);
  EXPECT_EQ(words_of([&] { uselocale(other); }), "the thread's locale");
  freelocale(other);
}

TEST(CallerState, KnowsTheThreadsName) {
  EXPECT_EQ(words_of([] { prctl(PR_SET_NAME, "other", 0, 0, 0); }), "the thread's name");
}

TEST(CallerState, KnowsTheProcessorsOfTheThread) {
  cpu_set_t first;
  sched_getaffinity(0, sizeof first, &first);
  if (CPU_COUNT(&first) < 2) GTEST_SKIP() << "there is one processor";
  int lowest = 0;
  while (!CPU_ISSET(lowest, &first))
    ++lowest;
  CPU_CLR(lowest, &first);
  EXPECT_EQ(words_of([&] { sched_setaffinity(0, sizeof first, &first); }),
            "the processors that the thread may use");
}

TEST(CallerState, KnowsTimersThatRun) {
  EXPECT_EQ(words_of([] { alarm(3600); }), "the process's timers");
}

TEST(CallerState, ShowsWhoPutsBackWhatProgramsBeginWith) {
  const CallerState before = CallerState::now();
  CallerState::make_unusual();
  EXPECT_EQ(words_of([] { alarm(0); }), "the process's timers");
  EXPECT_EQ(words_of([] { alarm(3600); }), "the process's timers");
  EXPECT_EQ(words_of([] { setlocale(LC_ALL, "C"); }), "the locale");
  EXPECT_EQ(words_of([] { umask(022); }), "the umask");
  EXPECT_EQ(words_of([] {
              sigset_t none;
              sigemptyset(&none);
              pthread_sigmask(SIG_SETMASK, &none, nullptr);
            }),
            "the blocked signals");
  EXPECT_EQ(words_of([] {}), "");
  before.put_back();
  EXPECT_EQ(CallerState::now().changed_since(before), "");
}

TEST(CallerState, KnowsTheFlagsOfHandlers) {
  const auto restart = [] {
    struct sigaction action {};
    sigaction(SIGUSR1, nullptr, &action);
    action.sa_flags |= SA_RESTART;
    sigaction(SIGUSR1, &action, nullptr);
  };
  struct sigaction before {
  }, handled{};
  handled.sa_handler = [](int) {};
  sigaction(SIGUSR1, &handled, &before);
  EXPECT_EQ(words_of(restart), "the flags or masks of signal handlers");
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(CallerState, LeavesALibraryTheHandlersOfSignalsThatHadNone) {
  EXPECT_EQ(words_of([] { std::signal(SIGUSR2, [](int) {}); }), "");
  EXPECT_EQ(words_of([] { std::signal(SIGPIPE, SIG_IGN); }), "");
  EXPECT_EQ(words_of([] { std::signal(SIGUSR2, SIG_IGN); }), "the handlers of signals");
}

TEST(CallerState, KnowsAHandlerThatIsReplacedOrTakenAway) {
  const auto before = std::signal(SIGUSR2, [](int) {});
  EXPECT_EQ(words_of([] { std::signal(SIGUSR2, [](int number) { std::signal(number, SIG_DFL); }); }),
            "the handlers of signals");
  EXPECT_EQ(words_of([] { std::signal(SIGUSR2, SIG_DFL); }), "the handlers of signals");
  EXPECT_EQ(words_of([] { std::signal(SIGUSR2, SIG_IGN); }), "the handlers of signals");
  std::signal(SIGUSR2, before);
}

TEST(CallerState, LetsHandlersRunOnTheStackForSignalsButNotElsewhere) {
  const auto with_flags = [](int flags) {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = flags;
    sigaction(SIGUSR2, &action, nullptr);
  };
  const CallerState before = CallerState::now();
  with_flags(0);
  const CallerState plain = CallerState::now();
  with_flags(SA_ONSTACK);
  const CallerState moved = CallerState::now();
  EXPECT_EQ(moved.changed_since(plain), "");
  EXPECT_EQ(plain.changed_since(moved), "the flags or masks of signal handlers");
  before.put_back();
}

TEST(CallerState, IsAsBeforeOnceADefaultOrAHandlerIsPutBack) {
  EXPECT_EQ(words_of([] { std::signal(SIGUSR2, std::signal(SIGUSR2, [](int) {})); }), "");
  struct sigaction before {};
  EXPECT_EQ(words_of([&] {
              sigaction(SIGSEGV, nullptr, &before);
              sigaction(SIGSEGV, &before, nullptr);
            }),
            "");
}

TEST(CallerState, KnowsTheEnvironmentThatAllRead) {
  setenv("CERTILE_TEST_VARIABLE", "before", 1);
  EXPECT_EQ(words_of([] { setenv("TZ", "UTC-1", 1); }), "the environment");
  EXPECT_EQ(words_of([] { setenv("LC_NUMERIC", "C", 1); }), "the environment");
  EXPECT_EQ(words_of([] { setenv("CERTILE_TEST_VARIABLE", "after", 1); }), "the environment");
  EXPECT_EQ(words_of([] { unsetenv("CERTILE_TEST_VARIABLE"); }), "the environment");
  unsetenv("CERTILE_TEST_VARIABLE");
}

TEST(CallerState, LeavesALibraryItsOwnVariables) {
  EXPECT_EQ(words_of([] { setenv("CERTILE_TEST_REGISTERED", "1", 1); }), "");
  unsetenv("CERTILE_TEST_REGISTERED");
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
