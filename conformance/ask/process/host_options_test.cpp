#include "conformance/ask/process/host_options.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

std::optional<HostOptions> parse_host(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  return parse_host_arguments(pointers);
}

TEST(HostOptions, ArriveAsTheyWereSent) {
  const auto got = parse_host(host_arguments({"./a b'c.so", {1 << 20, 1 << 21}, 123, {5, "/tmp/a folder"}}));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->spelling, "./a b'c.so");
  EXPECT_EQ(got->layout.request_bytes, std::size_t{1} << 20);
  EXPECT_EQ(got->layout.reply_bytes, std::size_t{1} << 21);
  EXPECT_EQ(got->memory_limit, 123U);
  EXPECT_EQ(got->sandbox.layers, 5U);
  EXPECT_EQ(got->sandbox.folder, "/tmp/a folder");
}

TEST(HostOptions, AreNoneWhenAWordIsMissingOrNoNumber) {
  EXPECT_FALSE(parse_host({"host"}));
  EXPECT_FALSE(parse_host({"host", "1", "2", "x", "0", "", "scalar"}));
  EXPECT_FALSE(parse_host({"host", "1", "2", "3", "x", "", "scalar"}));
  EXPECT_FALSE(parse_host({"host", "1", "2", "3", "0", "", "scalar", "more"}));
}

}  // namespace
}  // namespace certile::conformance
