#include "conformance/explain/glossary.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

TEST(Glossary, ReadsParagraphsThatBeginWithBoldWords) {
  const auto entries = parse_glossary(
      "# Title\n\nNo **entry**: not at the beginning.\n\n## Things\n\n**one**, **two words**: A\nthing, "
      "*so*.\n\n"
      "**none**\n\n## More\n**last**: At the end.");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].section, "Things");
  EXPECT_EQ(entries[0].words, (std::vector<std::string>{"one", "two words"}));
  EXPECT_EQ(entries[0].text, "A thing, so.");
  EXPECT_EQ(entries[1].section, "More");
  EXPECT_EQ(entries[1].text, "At the end.");
}

}  // namespace
}  // namespace certile::conformance
