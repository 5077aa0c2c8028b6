#include "conformance/text/printable.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

TEST(Caret, IsUnderTheColumnThatTheSentenceNames) {
  EXPECT_EQ(with_caret("column 4: expected a number", "u8[x]"),
            "column 4: expected a number\n  u8[x]\n     ^");
  EXPECT_EQ(with_caret("column 3: found the end", "u8"), "column 3: found the end\n  u8\n    ^");
}

TEST(Caret, CountsTheCharactersThatArePrinted) {
  EXPECT_EQ(with_caret("column 4: x", "€u"), "column 4: x\n  €u\n   ^");
  EXPECT_EQ(with_caret("column 2: x", "\x1b[2J"), "column 2: x\n  \\x1b[2J\n      ^");
}

TEST(Caret, StaysNextToTheColumnOfALongText) {
  const std::string text = with_caret("column 501: x", std::string(500, 'a') + "!" + std::string(500, 'b'));
  const std::size_t caret = text.size() - 1 - text.rfind('\n') - 1;
  const std::string line = text.substr(text.find('\n') + 1, text.rfind('\n') - text.find('\n') - 1);
  EXPECT_LT(line.size(), 140U);
  // The ellipsis has three bytes and one character.
  EXPECT_EQ(line[caret + 2], '!') << text;
}

TEST(Caret, IsLeftOutWithoutAColumn) {
  EXPECT_EQ(with_caret("the claim excludes it", "u8"), "the claim excludes it");
}

}  // namespace
}  // namespace certile::conformance
