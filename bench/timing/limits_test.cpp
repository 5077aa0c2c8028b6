#include "bench/timing/limits.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

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
