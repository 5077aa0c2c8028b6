#include "conformance/digest.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "conformance/case_id.hpp"

namespace certile {
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

TEST(Digest, OfAFileIsTheDigestOfItsBytes) {
  const std::string path = testing::TempDir() + "certile-digest-test";
  std::ofstream(path, std::ios::binary) << "abc";
  const auto digest = sha256_of_file(path);
  std::remove(path.c_str());
  ASSERT_TRUE(digest);
  EXPECT_EQ(*digest, of_abc);
}

TEST(Digest, OfAMissingFileIsAnErrorThatNamesIt) {
  const auto digest = sha256_of_file("/nonexistent/file");
  ASSERT_FALSE(digest);
  EXPECT_EQ(digest.error().code, Error::Code::io);
  EXPECT_EQ(digest.error().what, "cannot read /nonexistent/file: No such file or directory");
}

TEST(Digest, OfADirectoryIsAnError) {
  const auto digest = sha256_of_file("/");
  ASSERT_FALSE(digest);
  EXPECT_EQ(digest.error().what, "cannot read /: Is a directory");
}

TEST(CaseId, IsTheFirstSixteenDigitsOfTheLiteralsSha256) {
  EXPECT_EQ(case_id("abc"), "ba7816bf8f01cfea");
}

}  // namespace
}  // namespace certile
