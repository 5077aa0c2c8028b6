#include "conformance/text/digest.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace certile::conformance {
namespace {

constexpr const char* of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Digest, IsTheSha256ThatFips180Prints) {
  EXPECT_EQ(sha256_hex("abc"), of_abc);
}

TEST(Digest, DoesNotDependOnWhereThePiecesEnd) {
  Sha256 digest;
  digest.add("a");
  digest.add("");
  digest.add("bc");
  EXPECT_EQ(digest.hex(), of_abc);
}

TEST(Digest, OfADescriptorIsTheDigestOfWhatCanBeReadFromIt) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "abc", 3), 3);
  close(ends[1]);
  const auto digest = sha256_of_descriptor(ends[0], "a pipe");
  close(ends[0]);
  ASSERT_TRUE(digest);
  EXPECT_EQ(*digest, of_abc);
}

TEST(Digest, OfWhatCannotBeReadIsAnErrorThatNamesIt) {
  const int directory = open("/", O_RDONLY);
  const auto digest = sha256_of_descriptor(directory, "./mine");
  close(directory);
  ASSERT_FALSE(digest);
  EXPECT_EQ(digest.error().code, Error::Code::io);
  EXPECT_EQ(digest.error().what, "cannot read ./mine: Is a directory");
}

}  // namespace
}  // namespace certile::conformance
