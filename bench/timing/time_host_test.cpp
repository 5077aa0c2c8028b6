#include "bench/timing/time_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reference/second/tile_by_copies.hpp"
#include "reference/values/fill.hpp"

namespace certile::bench {
namespace {

// The only case that the test plugins get wrong.
const std::string the_case = "onnx-tile-13 f32[2,3,4] x i64{1,2,3}";
constexpr std::size_t its_bytes = 576;
constexpr std::chrono::minutes long_enough{1};

TimeHost host_of(const std::string& spelling) {
  return TimeHost({.program = CERTILE_BENCH, .spelling = spelling});
}
std::string test_plugin(const std::string& name) {
  return CERTILE_TEST_PLUGINS "/" + name + ".so";
}
void ignore(std::span<const std::byte>) {}

TEST(TimeHost, SaysWhatTheBackendSaysOfItself) {
  TimeHost host = host_of("scalar");
  const auto greeting = host.start();
  ASSERT_TRUE(greeting);
  EXPECT_NE(greeting->version, "");
  EXPECT_EQ(greeting->definitions.size(), all_definitions().size());
}

TEST(TimeHost, ShowsTheAnswer) {
  TimeHost host = host_of("scalar");
  ASSERT_TRUE(host.open_case(the_case));
  std::vector<std::byte> seen;
  ASSERT_TRUE(host.answer(its_bytes, 1, long_enough, [&](std::span<const std::byte> piece) {
    seen.insert(seen.end(), piece.begin(), piece.end());
  }));
  const auto expected = second::tile_by_copies(*parse_case(the_case), data_of(*parse_case(the_case)));
  EXPECT_TRUE(std::ranges::equal(seen, expected->bytes()));
}

TEST(TimeHost, ShowsALargeAnswerInPieces) {
  const std::string large = "onnx-tile-13 u8[1] x i64{16777217}";
  TimeHost host = host_of("scalar");
  ASSERT_TRUE(host.open_case(large));
  std::vector<std::size_t> sizes;
  ASSERT_TRUE(host.answer(16777217, 1, long_enough,
                          [&](std::span<const std::byte> piece) { sizes.push_back(piece.size()); }));
  EXPECT_EQ(sizes, (std::vector<std::size_t>{16777216, 1}));
}

TEST(TimeHost, TimesABatch) {
  TimeHost host = host_of("scalar");
  ASSERT_TRUE(host.open_case(the_case));
  for (const Temperature temperature : {Temperature::hot, Temperature::cold}) {
    const auto sample = host.time(3, temperature);
    ASSERT_TRUE(sample);
    EXPECT_GT(sample->nanoseconds, 0);
  }
}

TEST(TimeHost, AnEndOfTheProcessIsNamedAndTheNextCaseGetsAnother) {
  TimeHost host = host_of(test_plugin("crash_on_one_case"));
  ASSERT_TRUE(host.open_case(the_case));
  const auto answered = host.answer(its_bytes, 1, long_enough, ignore);
  ASSERT_FALSE(answered);
  EXPECT_EQ(answered.error().code, Error::Code::backend_failed);
  EXPECT_NE(answered.error().what.find("it ended its process: signal"), std::string::npos);
  ASSERT_TRUE(host.open_case("onnx-tile-13 f32[3] x i64{2}"));
  EXPECT_TRUE(host.answer(24, 1, long_enough, ignore));
}

TEST(TimeHost, ACallThatDoesNotEndIsGivenUp) {
  TimeHost host = host_of(test_plugin("hang"));
  ASSERT_TRUE(host.open_case(the_case));
  const auto answered = host.answer(its_bytes, 1, std::chrono::milliseconds(50), ignore);
  ASSERT_FALSE(answered);
  EXPECT_EQ(answered.error().code, Error::Code::io);
}

TEST(TimeHost, ALibraryThatCannotBeOpenedSaysWhy) {
  const auto greeting = host_of(test_plugin("no_symbol")).start();
  ASSERT_FALSE(greeting);
  EXPECT_NE(greeting.error().what.find("certile_plugin_open"), std::string::npos);
}

}  // namespace
}  // namespace certile::bench
