#include "conformance/ask/process/keeper.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace certile::conformance {
namespace {

std::optional<KeepOptions> parse_keep(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  return parse_keep_arguments(pointers);
}

TEST(KeepOptions, ArriveAsTheyWereSent) {
  std::vector<std::string> words = keep_arguments(5'000'000'000, {7, "/tmp/a folder"});
  words.emplace_back("python3 'my worker.py'");
  const auto options = parse_keep(words);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->memory_limit, 5'000'000'000U);
  EXPECT_EQ(options->sandbox.layers, 7U);
  EXPECT_EQ(options->sandbox.folder, "/tmp/a folder");
  EXPECT_EQ(options->command, "python3 'my worker.py'");
}

TEST(KeepOptions, AreNoneWhenAWordIsMissingOrNoNumber) {
  EXPECT_FALSE(parse_keep({"keep", "1", "0", ""}));
  EXPECT_FALSE(parse_keep({"keep", "x", "0", "", "true"}));
  EXPECT_FALSE(parse_keep({"keep", "", "0", "", "true"}));
  EXPECT_FALSE(parse_keep({"keep", "1", "", "", "true"}));
  EXPECT_FALSE(parse_keep({"keep", "1", "0", "", "true", "more"}));
  EXPECT_FALSE(parse_keep({"host", "1", "0", "", "true"}));
}

}  // namespace
}  // namespace certile::conformance
