#include "conformance/ask/rig/unlike_calls.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

TEST(SideBySide, KeepsTheOutputsApart) {
  SideBySide memory(3, 24);
  EXPECT_EQ(memory.output(1).size(), 24U);
  EXPECT_EQ(memory.output(1).data() - memory.output(0).data(), 24 + 2 * 64);
  EXPECT_EQ(memory.output(2).data() - memory.output(1).data(), 24 + 2 * 64);
}

TEST(SideBySide, NoticesThatAByteNextToAnOutputWasPutBack) {
  for (const std::ptrdiff_t distance : {-64, -1, 5, 68}) {
    SideBySide memory(2, 5);
    for (int change = 0; change < 1000; ++change)
      memory.change_around(1);
    EXPECT_FALSE(memory.has_undone_change());
    std::byte& beside = *(memory.output(1).data() + distance);
    const std::byte found = beside;
    for (int change = 0; change < 8; ++change)
      memory.change_around(1);
    beside = found;
    memory.change_around(1);
    memory.change_around(1);
    EXPECT_TRUE(memory.has_undone_change()) << distance;
  }
}

TEST(SideBySide, LeavesTheOutputsAlone) {
  SideBySide memory(3, 7);
  for (std::size_t index = 0; index < 3; ++index)
    for (std::byte& byte : memory.output(index))
      byte = std::byte{0x5a};
  for (std::size_t index = 0; index < 3; ++index)
    memory.change_around(index);
  for (std::size_t index = 0; index < 3; ++index)
    for (const std::byte byte : memory.output(index))
      EXPECT_EQ(byte, std::byte{0x5a});
  EXPECT_FALSE(memory.has_undone_change());
}

}  // namespace
}  // namespace certile::conformance
