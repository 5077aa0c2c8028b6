#include "conformance/ask/process/shared_memory.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <span>

namespace certile::conformance {
namespace {

SharedMemory create(bool future_read_only) {
  return *SharedMemory::create(8192, future_read_only);
}

int copy_of(const SharedMemory& memory) {
  return fcntl(memory.descriptor(), F_DUPFD_CLOEXEC, 3);
}

TEST(SharedMemory, ShowsTheOneSideWhatTheOtherWrites) {
  const SharedMemory ours = create(false);
  const auto theirs = SharedMemory::map(copy_of(ours), 8192, true);
  ASSERT_TRUE(theirs);
  ours.bytes()[8191] = std::byte{7};
  EXPECT_EQ(theirs->bytes()[8191], std::byte{7});
  theirs->bytes()[0] = std::byte{9};
  EXPECT_EQ(ours.bytes()[0], std::byte{9});
}

TEST(SharedMemory, ThatIsToBeReadOnlyIsWrittenByItsOwnerAlone) {
  const SharedMemory ours = create(true);
  EXPECT_FALSE(SharedMemory::map(copy_of(ours), 8192, true));
  const auto theirs = SharedMemory::map(copy_of(ours), 8192, false);
  ASSERT_TRUE(theirs);
  ours.bytes()[0] = std::byte{7};
  EXPECT_EQ(theirs->bytes()[0], std::byte{7});
}

TEST(SharedMemory, GivesTheWholePagesOfAPartBack) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto memory = SharedMemory::create(4 * page, false);
  ASSERT_TRUE(memory);
  const std::span<std::byte> bytes = memory->bytes();
  std::ranges::fill(bytes, std::byte{7});
  SharedMemory::give_back(bytes.subspan(1, 3 * page));
  EXPECT_EQ(bytes[page - 1], std::byte{7});
  EXPECT_EQ(bytes[page], std::byte{0});
  EXPECT_EQ(bytes[3 * page - 1], std::byte{0});
  EXPECT_EQ(bytes[3 * page], std::byte{7});
  SharedMemory::give_back(bytes.subspan(1, page));
  EXPECT_EQ(bytes[1], std::byte{7});
}

TEST(SharedMemory, SaysWhyItCannotBeMade) {
  const auto memory = SharedMemory::create(std::size_t{1} << 60, false);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, Error::Code::io);
  EXPECT_EQ(memory.error().what.rfind("cannot map shared memory: ", 0), 0U) << memory.error().what;
}

}  // namespace
}  // namespace certile::conformance
