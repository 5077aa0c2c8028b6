#include "conformance/ask/rig/growth.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ask/process/emulator.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

using Curve = std::function<std::int64_t(std::int64_t calls)>;

std::vector<std::int64_t> values_of(const Curve& curve, std::int64_t count = 512) {
  std::vector<std::int64_t> values;
  for (std::int64_t call = 0; call < count; ++call)
    values.push_back(curve(call));
  return values;
}

// Returns the charge after that number of calls, which keep `heap` bytes altogether.
std::string charge_of(std::int64_t calls, const Curve& heap) {
  Growth growth;
  for (std::int64_t call = 1; call <= calls; ++call)
    growth.note(call, [&] { return Amounts{3, 1, heap(call), 0}; });
  return growth.charge();
}

TEST(SteadyGrowth, IsALine) {
  EXPECT_EQ(steady_growth(values_of([](std::int64_t call) { return 10 * call; })), 3360);
  EXPECT_TRUE(steady_growth(values_of([](std::int64_t call) { return call / 8; })));
}

TEST(SteadyGrowth, IsALineWithTeeth) {
  EXPECT_TRUE(steady_growth(values_of([](std::int64_t call) { return call + 40 * (call % 7); })));
}

TEST(SteadyGrowth, IsNoCurveThatLevelsOff) {
  EXPECT_FALSE(steady_growth(values_of([](std::int64_t call) { return std::min<std::int64_t>(call, 400); })));
  EXPECT_FALSE(steady_growth(values_of([](std::int64_t call) { return 1000 - 100'000 / (call + 100); })));
}

TEST(SteadyGrowth, IsNoTableThatDoubles) {
  EXPECT_FALSE(steady_growth(values_of([](std::int64_t call) {
    std::int64_t room = 16;
    while (room < call)
      room *= 2;
    return room;
  })));
}

TEST(SteadyGrowth, IsNoMemoryThatIsCollectedNowAndThen) {
  EXPECT_FALSE(steady_growth(values_of([](std::int64_t call) { return call % 100; })));
}

TEST(SteadyGrowth, IsNotSeenInFewValues) {
  EXPECT_FALSE(steady_growth(values_of([](std::int64_t call) { return call; }, 31)));
  EXPECT_TRUE(steady_growth(values_of([](std::int64_t call) { return call; }, 32)));
}

TEST(Growth, IsChargedWhenItGoesOn) {
  const Curve ten_bytes = [](std::int64_t call) { return 10 * call; };
  EXPECT_EQ(charge_of(Growth::long_enough / 2, ten_bytes), "");
  EXPECT_EQ(charge_of(2 * Growth::long_enough, ten_bytes).substr(0, 34),
            "10 allocated bytes in each call: 1");
}

// The least of many amounts grows, because large ones become rare; the amounts do not.
TEST(Growth, IsNotChargedWhereOnlyTheLeastGrows) {
  const Curve filled = [](std::int64_t call) {
    const std::int64_t full = 10'000'000;
    return mix(static_cast<std::uint64_t>(call)) % 8 == 0 ? std::min(10 * call, full) : full;
  };
  EXPECT_EQ(charge_of(2 * Growth::long_enough, filled), "");
}

TEST(Growth, IsChargedAtOnceWhenItIsDrastic) {
  EXPECT_NE(charge_of(2'000, [](std::int64_t call) { return call << 20; }), "");
}

// Returns the charge after that number of large calls, which keep `mapped` bytes altogether.
std::string charge_of_large(std::int64_t calls, const Curve& mapped) {
  Growth growth = Growth::of_large_calls();
  for (std::int64_t call = 1; call <= calls; ++call)
    growth.note(call, [&] { return Amounts{3, 1, 0, mapped(call)}; });
  return growth.charge();
}

TEST(Growth, IsChargedWhereLargeCallsKeepWhatTheyMap) {
  const Curve two_mebibytes = [](std::int64_t call) { return call << 21; };
  EXPECT_EQ(charge_of_large(255, two_mebibytes), "");
  EXPECT_NE(charge_of_large(300, two_mebibytes), "");
}

TEST(Growth, IsNotChargedWhereLargeCallsFillAPool) {
  EXPECT_EQ(charge_of_large(300, [](std::int64_t call) { return std::min<std::int64_t>(call, 64) << 23; }),
            "");
  EXPECT_EQ(charge_of_large(300, [](std::int64_t call) { return call << 18; }), "");
}

TEST(Growth, IsNotChargedToACacheWithABound) {
  for (const std::int64_t bound : {1'000, 10'000, 100'000, 200'000})
    EXPECT_EQ(
        charge_of(2 * Growth::long_enough, [bound](std::int64_t call) { return 64 * std::min(call, bound); }),
        "")
        << bound;
}

TEST(Growth, IsNotChargedToALargeCacheWhileItFills) {
  const Curve cache = [](std::int64_t call) { return 1'024 * std::min<std::int64_t>(call, 200'000); };
  for (const std::int64_t calls : {10'000, 100'000, 240'000})
    EXPECT_EQ(charge_of(calls, cache), "") << calls;
}

TEST(Growth, IsNotChargedToNothing) {
  Growth growth;
  for (std::int64_t call = 1; call <= 300'000; ++call)
    growth.note(call);
  EXPECT_FALSE(growth.is_suspicious());
  EXPECT_EQ(growth.charge(), "");
}

TEST(Amounts, CountDescriptorsAndThreads) {
  const Amounts before = amounts_now();
  EXPECT_GE(before[0], 3);
  // A sanitizer keeps freed memory, and an emulator maps some, so that the address space tells nothing.
  EXPECT_TRUE(before[3] == 0 || before[3] >= 1 << 20) << before[3];
  if (std::string_view(CERTILE_SANITIZE).empty()) {
    EXPECT_EQ(before[3] == 0, !emulator_words().empty());
  }
  EXPECT_GT(before[2] + before[3], 0);
  EXPECT_FALSE(has_run_low(before));
}

}  // namespace
}  // namespace certile::conformance
