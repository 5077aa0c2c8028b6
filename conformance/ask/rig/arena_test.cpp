#include "conformance/ask/rig/arena.hpp"

#include <gtest/gtest.h>
#include <setjmp.h>  // NOLINT(modernize-deprecated-headers): POSIX has sigsetjmp here
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>

namespace certile::conformance {
namespace {

const std::size_t page_size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
sigjmp_buf after_fault;
const void* fault_address = nullptr;

void note_fault(int, siginfo_t* info, void*) {
  fault_address = info->si_addr;
  siglongjmp(after_fault, 1);
}

// Returns true if reading or writing the byte is a memory fault.
template <class Access>
bool faults(const std::byte* byte, Access&& access) {
  struct sigaction noting {
  }, before{};
  noting.sa_sigaction = note_fault;
  noting.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &noting, &before);
  fault_address = nullptr;
  if (sigsetjmp(after_fault, 1) == 0) access(const_cast<volatile std::byte*>(byte));
  sigaction(SIGSEGV, &before, nullptr);
  return fault_address == byte;
}
bool faults_on_reading(const std::byte* byte) {
  return faults(byte, [](volatile std::byte* at) { static_cast<void>(*at); });
}
bool faults_on_writing(const std::byte* byte) {
  return faults(byte, [](volatile std::byte* at) { *at = std::byte{1}; });
}

Arena make(std::size_t capacity, bool read_only) {
  return *Arena::create(capacity, read_only, read_only ? Arena::input_guard : Arena::output_guard);
}

TEST(Arena, OnTheRightFaultsOnTheVeryNextByte) {
  Arena arena = make(3 * page_size, false);
  for (const std::size_t size : {std::size_t{1}, std::size_t{63}, page_size, page_size + 1, 3 * page_size}) {
    ASSERT_TRUE(arena.place(size, {Spot::Side::right, 0}));
    EXPECT_FALSE(faults_on_writing(arena.seen() + size - 1)) << size;
    EXPECT_TRUE(faults_on_writing(arena.seen() + size)) << size;
    EXPECT_TRUE(faults_on_reading(arena.seen() + size)) << size;
  }
}

TEST(Arena, OnTheLeftFaultsOnTheVeryByteBefore) {
  Arena arena = make(3 * page_size, false);
  for (const std::size_t size : {std::size_t{1}, std::size_t{63}, page_size, 3 * page_size}) {
    ASSERT_TRUE(arena.place(size, {Spot::Side::left, 0}));
    EXPECT_FALSE(faults_on_writing(arena.seen())) << size;
    EXPECT_TRUE(faults_on_writing(arena.seen() - 1)) << size;
    EXPECT_TRUE(faults_on_reading(arena.seen() - 1)) << size;
  }
}

TEST(Arena, OfAnOutputBeginsWhereALargePageDoes) {
  Arena arena = make(3 * page_size, false);
  ASSERT_TRUE(arena.place(page_size, {Spot::Side::left, 0}));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.seen()) % (2 << 20), 0U);
  EXPECT_TRUE(faults_on_writing(arena.seen() - Arena::unreadable));
}

TEST(Arena, HasOnePageAboveAMultipleOf4GiB) {
  for (const bool read_only : {false, true}) {
    Arena arena = make(3 * page_size, read_only);
    ASSERT_TRUE(arena.place(2 * page_size, {Spot::Side::right, 0}));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.seen() + page_size) % (std::uintptr_t{1} << 32), 0U)
        << read_only;
  }
}

TEST(Arena, FaultsAsFarAsAWildIndexGoes) {
  Arena arena = make(page_size, false);
  ASSERT_TRUE(arena.place(page_size, {Spot::Side::right, 0}));
  EXPECT_TRUE(faults_on_reading(arena.seen() + page_size + Arena::unreadable - 1));
  EXPECT_TRUE(faults_on_reading(arena.seen() - Arena::unreadable));
}

TEST(Arena, OfAnInputIsReadOnlyWhereTheBackendSeesIt) {
  Arena arena = make(page_size, true);
  ASSERT_TRUE(arena.place(8, {Spot::Side::right, 0}));
  arena.written()[3] = std::byte{0x77};
  EXPECT_EQ(arena.seen()[3], std::byte{0x77});
  EXPECT_FALSE(faults_on_reading(arena.seen() + 3));
  EXPECT_TRUE(faults_on_writing(arena.seen() + 3));
}

TEST(Arena, OfAnInputHasATwinThatIsReadOnlyAndFarAway) {
  Arena arena = make(page_size, true);
  ASSERT_TRUE(arena.place(8, {Spot::Side::right, 0}));
  arena.written()[3] = std::byte{0x77};
  EXPECT_EQ(arena.twin()[3], std::byte{0x77});
  EXPECT_TRUE(faults_on_writing(arena.twin() + 3));
  EXPECT_TRUE(faults_on_reading(arena.twin() + 8));
  EXPECT_EQ(arena.locate(arena.twin() + 8).distance, 1);
  EXPECT_GE(std::abs(arena.twin() - arena.seen()), std::ptrdiff_t{1} << 31);
}

TEST(Arena, HasNoAddressForABufferWithoutBytes) {
  Arena arena = make(page_size, false);
  ASSERT_TRUE(arena.place(0, {Spot::Side::right, 0}));
  EXPECT_EQ(arena.seen(), nullptr);
  EXPECT_TRUE(arena.written().empty());
}

TEST(Arena, LiesSoManyBytesPastABoundary) {
  Arena arena = make(2 * page_size, false);
  for (int offset = 0; offset < 64; ++offset) {
    ASSERT_TRUE(arena.place(33, {Spot::Side::inside, offset}));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.seen()) % 64, static_cast<std::uintptr_t>(offset));
    EXPECT_TRUE(arena.guards_intact());
  }
}

TEST(Arena, SeesEachGuardByteThatIsOverwritten) {
  Arena arena = make(2 * page_size, false);
  const std::size_t size = 33;
  ASSERT_TRUE(arena.place(size, {Spot::Side::inside, 5}));
  const auto guard = static_cast<std::ptrdiff_t>(Arena::guard_bytes);
  for (std::ptrdiff_t distance = 1; distance <= guard; ++distance)
    for (std::byte* byte : {arena.seen() - distance, arena.seen() + size - 1 + distance}) {
      const std::byte before = *byte;
      *byte ^= std::byte{1};
      EXPECT_FALSE(arena.guards_intact()) << distance;
      *byte = before;
      EXPECT_TRUE(arena.guards_intact()) << distance;
    }
}

TEST(Arena, HasGuardBytesOnTheSideThatNoPageProtects) {
  Arena arena = make(page_size, false);
  ASSERT_TRUE(arena.place(16, {Spot::Side::right, 0}));
  *(arena.seen() - 1) ^= std::byte{0xff};
  EXPECT_FALSE(arena.guards_intact());
  ASSERT_TRUE(arena.place(16, {Spot::Side::left, 0}));
  EXPECT_TRUE(arena.guards_intact()) << "they are fresh after each placing";
  *(arena.seen() + 16) ^= std::byte{0xff};
  EXPECT_FALSE(arena.guards_intact());
}

TEST(Arena, RefusesABufferThatDoesNotFit) {
  Arena arena = make(page_size, false);
  EXPECT_TRUE(arena.place(page_size, {Spot::Side::left, 0}));
  EXPECT_FALSE(arena.place(page_size + 1, {Spot::Side::left, 0}));
  EXPECT_FALSE(arena.place(page_size, {Spot::Side::inside, 1}));
  EXPECT_FALSE(arena.place(~std::size_t{0}, {Spot::Side::right, 0}));
}

TEST(Arena, LocatesAnAddressByItsDistanceFromTheBuffer) {
  Arena arena = make(2 * page_size, false);
  ASSERT_TRUE(arena.place(8, {Spot::Side::inside, 0}));
  const std::byte* begin = arena.seen();
  const auto distance = [&](const std::byte* at) { return arena.locate(at).distance; };
  EXPECT_EQ(distance(begin), 0);
  EXPECT_EQ(distance(begin + 7), 0);
  EXPECT_EQ(distance(begin + 8), 1);
  EXPECT_EQ(distance(begin + 107), 100);
  EXPECT_EQ(distance(begin - 1), -1);
  EXPECT_TRUE(arena.locate(begin - 1).here);
}

TEST(Arena, KnowsTheUnreadableMemoryBesideItAndNothingElse) {
  Arena arena = make(page_size, false);
  ASSERT_TRUE(arena.place(page_size, {Spot::Side::left, 0}));
  EXPECT_TRUE(arena.locate(arena.seen() - Arena::unreadable).here);
  EXPECT_FALSE(arena.locate(arena.seen() - Arena::unreadable - 1).here);
  ASSERT_TRUE(arena.place(page_size, {Spot::Side::right, 0}));
  EXPECT_TRUE(arena.locate(arena.seen() + page_size + Arena::unreadable - 1).here);
  EXPECT_FALSE(arena.locate(arena.seen() + page_size + Arena::unreadable).here);
  EXPECT_FALSE(arena.locate(nullptr).here);
}

TEST(Arena, SaysWhyItCannotBeMapped) {
  const auto arena = Arena::create(std::size_t{1} << 60, false, Arena::output_guard);
  ASSERT_FALSE(arena);
  EXPECT_EQ(arena.error().code, Error::Code::io);
}

TEST(Arena, KnowsAnAddressThatAnIndexOf32BitsMakes) {
  Arena arena = make(page_size, true);
  ASSERT_TRUE(arena.place(12, {Spot::Side::right, 0}));
  const std::int64_t far = std::int64_t{1} << 40, near = 8192;
  EXPECT_TRUE(arena.is_multiples_of_4_gib_away(arena.seen() + far));
  EXPECT_TRUE(arena.is_multiples_of_4_gib_away(arena.seen() - far));
  EXPECT_TRUE(arena.is_multiples_of_4_gib_away(arena.seen() + far - 4));
  EXPECT_FALSE(arena.is_multiples_of_4_gib_away(arena.seen() + 4));
  EXPECT_FALSE(arena.is_multiples_of_4_gib_away(arena.seen() - near));
  EXPECT_FALSE(arena.is_multiples_of_4_gib_away(arena.seen() + far + near));
}

}  // namespace
}  // namespace certile::conformance
