#include "conformance/ask/observe.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace certile::conformance {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes(const std::vector<int>& numbers) {
  Bytes all;
  for (const int number : numbers)
    all.push_back(static_cast<std::byte>(number));
  return all;
}

std::vector<bool> unwritten(ElementType type, const Shape& shape, const Bytes& first, const Bytes& second) {
  Reply reply;
  reply.runs[0].outputs = {first};
  reply.runs[1].outputs = {second};
  return unwritten_elements(type, shape, reply).at(0);
}

using Flags = std::vector<bool>;

TEST(UnwrittenElements, HaveTheirByteFromBeforeTheCallInBothRuns) {
  EXPECT_EQ(unwritten(ElementType::u16, {3}, bytes({1, 0, 0xa5, 0xa5, 7, 0xa5}),
                      bytes({1, 0, 0x5a, 0x5a, 7, 0x5a})),
            (Flags{false, true, true}));
}

TEST(UnwrittenElements, AreThoseThatTheFirstRunAloneLeft) {
  const Bytes left = bytes({1, 0, 0xa5, 0xa5, 0xa5, 0xa5}), written = bytes({1, 0, 2, 0, 3, 0});
  EXPECT_EQ(unwritten(ElementType::u16, {3}, left, written), (Flags{false, true, true}));
  // Another element that differs says that the runs compute different answers, and two bytes may be chance.
  EXPECT_EQ(unwritten(ElementType::u16, {3}, left, bytes({7, 0, 2, 0, 3, 0})), Flags{});
  EXPECT_EQ(unwritten(ElementType::u16, {3}, bytes({1, 0, 0xa5, 0xa5, 3, 0}), written), Flags{});
}

TEST(UnwrittenElements, AreNoneIfTheAnswerHappensToBeThePattern) {
  EXPECT_EQ(unwritten(ElementType::u8, {2}, bytes({0xa5, 1}), bytes({0xa5, 1})), Flags{});
  EXPECT_EQ(unwritten(ElementType::u8, {2}, bytes({0x5a, 1}), bytes({0x5a, 1})), Flags{});
}

TEST(UnwrittenElements, ArePartsOfBytesInPackedTypes) {
  // The low half of the second byte is written, the high half is not; the third element is the low half.
  EXPECT_EQ(unwritten(ElementType::u4, {4}, bytes({0x21, 0xa3}), bytes({0x21, 0x53})),
            (Flags{false, false, false, true}));
}

TEST(UnwrittenElements, AreStringsWhoseViewIsUntouched) {
  Bytes flat(2 * sizeof(std::uint64_t));
  std::memcpy(flat.data() + sizeof unwritten_string, &unwritten_string, sizeof unwritten_string);
  EXPECT_EQ(unwritten(ElementType::string, {2}, flat, flat), (Flags{false, true}));
}

TEST(UnwrittenElements, AreUnknownWithoutASecondRun) {
  Reply reply;
  reply.runs[0].outputs = {bytes({0xa5})};
  EXPECT_EQ(unwritten_elements(ElementType::u8, {1}, reply).at(0), Flags{});
}

}  // namespace
}  // namespace certile::conformance
