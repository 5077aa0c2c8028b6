#include "conformance/ask/rig/side_by_side.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

TEST(SideBySide, LetsTheFirstOutputLieAloneAndTheOthersInPairs) {
  const SideBySide memory(5, 24);
  const auto& outputs = memory.outputs();
  ASSERT_EQ(outputs.size(), 5U);
  const auto between = [&](std::size_t index) {
    return outputs[index + 1].data() - outputs[index].data() - 24;
  };
  EXPECT_EQ(between(0), 64);
  EXPECT_EQ(between(1), 0);
  EXPECT_EQ(between(2), 64);
  EXPECT_EQ(between(3), 0);
}

TEST(SideBySide, NoticesThatAByteNextToAnOutputWasPutBack) {
  SideBySide memory(2, 5);
  for (int change = 0; change < 10; ++change)
    memory.change_between();
  EXPECT_FALSE(memory.is_undone());
  std::byte& behind = memory.outputs()[1].data()[5];
  const std::byte found = behind;
  memory.change_between();
  behind = found;
  memory.change_between();
  EXPECT_TRUE(memory.is_undone());
}

TEST(SideBySide, LeavesTheOutputsAlone) {
  SideBySide memory(3, 7);
  for (const auto output : memory.outputs())
    for (std::byte& byte : output)
      byte = std::byte{0x5a};
  memory.change_between();
  for (const auto output : memory.outputs())
    for (const std::byte byte : output)
      EXPECT_EQ(byte, std::byte{0x5a});
  EXPECT_FALSE(memory.is_undone());
}

}  // namespace
}  // namespace certile::conformance
