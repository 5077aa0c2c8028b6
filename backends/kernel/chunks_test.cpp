#include "backends/kernel/chunks.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace certile::kernel {
namespace {

constexpr std::initializer_list<int> thread_counts{1, 2, 3, 7, 64};
constexpr std::initializer_list<std::uint64_t> sizes{1,      4095,   4096,    4097,      131071,
                                                     131073, 999999, 1 << 24, 123456789, 1ULL << 40};

TEST(Chunks, CoverEveryByteOnce) {
  for (const int threads : thread_counts)
    for (const std::uint64_t bytes : sizes)
      for (const std::uintptr_t address : {0U, 1U, 64U, 4095U, 4096U}) {
        const Chunks chunks(address, bytes, threads);
        ASSERT_EQ(chunks.begin(0), 0U);
        for (std::uint64_t index = 0; index < chunks.count(); ++index)
          ASSERT_LT(chunks.begin(index), chunks.begin(index + 1)) << bytes << " bytes at " << address;
        ASSERT_EQ(chunks.begin(chunks.count()), bytes);
      }
}

TEST(Chunks, MeetBetweenPages) {
  for (const int threads : thread_counts)
    for (const std::uint64_t bytes : sizes)
      for (const std::uintptr_t address : {0U, 1U, 64U, 4095U, 4096U}) {
        const Chunks chunks(address, bytes, threads);
        for (std::uint64_t index = 1; index < chunks.count(); ++index)
          ASSERT_EQ((address + chunks.begin(index)) % 4096, 0U) << bytes << " bytes at " << address;
      }
}

TEST(Chunks, AreSeveralForEachThreadOfALargeOutput) {
  for (const int threads : thread_counts)
    EXPECT_GE(Chunks(64, 1 << 28, threads).count(), 7U * static_cast<unsigned>(threads));
}

TEST(Chunks, AreOneForEachThreadOfAnOutputBelowEightMebibytes) {
  for (const int threads : {1, 2, 3, 7})
    EXPECT_EQ(Chunks(0, (8 << 20) - 4096, threads).count(), static_cast<unsigned>(threads));
  EXPECT_EQ(Chunks(0, 8 << 20, 2).count(), 16U);
}

TEST(Chunks, AreOneForEachThreadWhereAskedFor) {
  EXPECT_EQ(Chunks(0, 1 << 28, 3, Ranges::one).count(), 3U);
}

TEST(Chunks, AreNotTiny) {
  EXPECT_EQ(Chunks(0, 131072, 64).count(), 4U);
  EXPECT_EQ(Chunks(0, 1, 64).count(), 1U);
}

}  // namespace
}  // namespace certile::kernel
