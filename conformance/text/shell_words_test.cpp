#include "conformance/text/shell_words.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

TEST(ShellWords, AreThoseOfAShell) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(shell_words(" a  'b c' \"d'e\"f g\\ h ").words, (Words{"a", "b c", "d'ef", "g h"}));
  EXPECT_EQ(shell_words("").words, Words{});
  EXPECT_EQ(shell_words("a ''").words, (Words{"a", ""}));
}

TEST(ShellWords, ShowWhatTheShellLooksUp) {
  for (const char* command :
       {"cd d && ./a", "a $B", "a \"$B\"", "a `b`", "a; b", "a *.py", "~/a", "a > b", "a\nb"})
    EXPECT_NE(shell_words(command).syntax, 0) << command;
  for (const char* command : {"a b.py --c=d", "a '$B; c'", "a \"b;c\"", "a \\$B", "exec a"})
    EXPECT_EQ(shell_words(command).syntax, 0) << command;
}

}  // namespace
}  // namespace certile::conformance
