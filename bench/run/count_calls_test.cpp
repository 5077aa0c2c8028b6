#include "bench/run/count_calls.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>

#include "bench/timing/instructions.hpp"

namespace certile::bench {
namespace {

TEST(CountCommand, PrintsALineForEachBackendAndCase) {
  if (!count_instructions([] {})) GTEST_SKIP() << "no process may be traced here";
  std::ostringstream out, error;
  EXPECT_EQ(count_command({"scalar", "memset"}, {"onnx-tile-13 f32[2] x i64{3}"}, out, error), 0);
  std::istringstream lines(out.str());
  std::string backend, rest;
  std::int64_t count = 0;
  lines >> backend >> count;
  std::getline(lines, rest);
  EXPECT_EQ(backend + rest, "scalar onnx-tile-13 f32[2] x i64{3}");
  EXPECT_GT(count, 20);
  lines >> backend >> count;
  std::getline(lines, rest);
  EXPECT_EQ(backend + rest, "memset onnx-tile-13 f32[2] x i64{3}");
  EXPECT_GT(count, 0);
  EXPECT_LT(count, 500);
}

TEST(CountCommand, SaysWhatItCannotCount) {
  std::ostringstream out, error;
  EXPECT_EQ(count_command({"nobody"}, {"onnx-tile-13 f32[2] x i64{2}"}, out, error), 2);
  EXPECT_EQ(count_command({"scalar"}, {"onnx-tile-13 f32[2]"}, out, error), 2);
  EXPECT_EQ(count_command({"scalar"}, {"onnx-tile-13 f32[2] x i64{-1}"}, out, error), 2);
}

TEST(Instructions, AreThoseOfTheBody) {
#if defined(__x86_64__)
  const auto nothing = count_instructions([] { asm volatile(""); });
  if (!nothing) GTEST_SKIP() << nothing.error().what;
  const auto more = count_instructions([] { asm volatile("nop; nop; nop; nop; nop"); });
  ASSERT_TRUE(more);
  EXPECT_EQ(*more - *nothing, 5);
  char bytes[1000];
  const auto string = count_instructions([&bytes] {
    void* to = bytes;
    std::size_t count = sizeof bytes;
    asm volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(1) : "memory");
  });
  ASSERT_TRUE(string);
  EXPECT_LT(*string - *nothing, 12) << "a string instruction counts once";
#endif
}

}  // namespace
}  // namespace certile::bench
