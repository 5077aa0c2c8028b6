#include "bench/timing/limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "bench/timing/measure.hpp"
#include "reference/values/case.hpp"

namespace certile::bench {
namespace {

TEST(Parts, CoverEveryByteOnceInOrder) {
  for (const std::size_t size : {1u, 63u, 64u, 100u, 4096u, 8193u, 1000003u})
    for (const int parts : {1, 2, 3, 7}) {
      std::size_t next = 0;
      for (int part = 0; part < parts; ++part) {
        const ByteRange each = part_of(size, part, parts);
        EXPECT_EQ(each.begin, next);
        next += each.size;
      }
      EXPECT_EQ(next, size);
    }
}

TEST(Parts, BeginOnPagesWhereThereAreEnough) {
  for (int part = 0; part < 3; ++part)
    EXPECT_EQ(part_of(100'000, part, 3).begin % 4096, 0u);
  EXPECT_EQ(part_of(4096, 1, 2).begin, 2048u);
}

TEST(Probes, IncludeACallOnlyForOneThreadAndATinyOutput) {
  const auto has_call = [](std::uint64_t bytes, int threads) {
    return std::ranges::count(available_probes(bytes, threads), Probe::call) == 1;
  };
  EXPECT_TRUE(has_call(4096, 1));
  EXPECT_FALSE(has_call(4097, 1));
  EXPECT_FALSE(has_call(4096, 2));
}

TEST(Probes, CallIsPlannedAndFillsTheOutput) {
  const auto question = parse_case("onnx-tile-13 f32[2,3,4] x i64{1,2,3}");
  auto memory = CaseMemory::make(*question);
  std::ranges::fill((*memory)->output().bytes, std::byte{0});
  const auto call = call_probe(question->definition, **memory);
  const auto ran = run_batch(*call, Temperature::hot, 3);
  ASSERT_TRUE(ran) << ran.error().what;
  EXPECT_EQ(std::ranges::count((*memory)->output_bytes(), std::byte{0}), 0);
}

TEST(Team, EveryThreadGetsEveryPieceOfWork) {
  Team team(3);
  std::vector<std::atomic<int>> calls(3);
  auto count = [&](int thread) { ++calls[static_cast<std::size_t>(thread)]; };
  for (int shift = 0; shift < 2; ++shift) {
    const Team::Shift now(team);
    for (int piece = 0; piece < 10; ++piece)
      team.run(count);
  }
  for (const auto& each : calls)
    EXPECT_EQ(each, 20);
}

}  // namespace
}  // namespace certile::bench
