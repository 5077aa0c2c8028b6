#include "conformance/text/printable.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

TEST(Printable, LinesAreIndentedOrLeftOut) {
  EXPECT_EQ(with_lines_indented("KeyError\nmine.py:7\n\nend"), "KeyError\n  mine.py:7\n  \n  end");
  EXPECT_EQ(with_lines_indented("one"), "one");
  EXPECT_EQ(first_line("ended; it printed:\n  why"), "ended; it printed:");
  EXPECT_EQ(first_line("one"), "one");
}

TEST(Printable, LeavesLiteralsAndWordsAsTheyAre) {
  const std::string literal = R"(openvino-tile-1 string{"a\u0000b"} x i64{2} @guard=after)";
  EXPECT_EQ(printable(literal), literal);
  EXPECT_EQ(printable("größer ≤ 4 … 日本 🙂"), "größer ≤ 4 … 日本 🙂");
}

TEST(Printable, EscapesWhatATerminalActsUpon) {
  EXPECT_EQ(printable("\x1b[31mred\a\r\n\t\x7f"), R"(\x1b[31mred\x07\x0d\x0a\x09\x7f)");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), R"(a\x00b)");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            R"(\xc2\x9b31m)");  // U+009B begins an escape sequence
}

TEST(Printable, EscapesWhatDeceivesAReader) {
  EXPECT_EQ(printable("a\u202eb"), R"(a\xe2\x80\xaeb)");  // right to left from here
  EXPECT_EQ(printable("a\u200bb"), R"(a\xe2\x80\x8bb)");  // no width
  EXPECT_EQ(printable("a\u2028b"), R"(a\xe2\x80\xa8b)");  // a line end
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff"), R"(\xff)");
  EXPECT_EQ(printable("\xc0\xaf"), R"(\xc0\xaf)");                  // not the shortest form
  EXPECT_EQ(printable("\xe2\x82"), R"(\xe2\x82)");                  // cut short
  EXPECT_EQ(printable("\xed\xa0\x80"), R"(\xed\xa0\x80)");          // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");  // beyond U+10FFFF
  EXPECT_EQ(printable("\xef\xbf\xbf"), R"(\xef\xbf\xbf)");          // U+FFFF, which XML forbids
}

TEST(Printable, IsPrintableAlready) {
  const std::string once = printable("\x1b\xff\\x1b");
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, LinesKeepTheirEnds) {
  EXPECT_EQ(printable_lines("a\x1b\nb\n"), "a\\x1b\nb\n");
}

TEST(Printable, ShortensBetweenCharacters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc…");
  EXPECT_EQ(shortened("aé≤", 2), "a…");
}

TEST(Printable, NeverCutsAnEscape) {
  EXPECT_EQ(shortened(printable("ab\x1b"), 5), "ab…");
  EXPECT_EQ(shortened(printable("ab\x1b"
                                "cd"),
                      6),
            R"(ab\x1b…)");
  EXPECT_EQ(shortened(R"(ab\u0000cd)", 7), "ab…");
  EXPECT_EQ(shortened(R"(ab\\cd)", 3), "ab…");
  const std::string name = printable_name(std::string(78, 'n') + "\n\n");
  EXPECT_EQ(name, "\"" + std::string(78, 'n') + "…\"");
}

TEST(Printable, EscapesWhatACiSystemObeys) {
  EXPECT_EQ(printable("::error title=x::y"), R"(\x3a:error title=x::y)");
  EXPECT_EQ(printable("  ::error::y"), R"(  \x3a:error::y)");
  EXPECT_EQ(printable("\u00a0\u3000::x"), "\u00a0\u3000\\x3a:x");
  EXPECT_EQ(printable(":"), R"(\x3a)") << "another colon may follow";
  EXPECT_EQ(printable("a ##[group]b"), R"(a \x23#[group]b)");
  EXPECT_EQ(printable("##vso[task.x]"), R"(\x23#vso[task.x])");
  EXPECT_EQ(printable("###[x]"), R"(#\x23#[x])");
  EXPECT_EQ(printable_lines("a\n::b\n"), "a\n\\x3a:b\n");
  EXPECT_EQ(printable("std::bad_alloc"), "std::bad_alloc");
  for (const char* text : {"::x", "##[x]", "###vso[", "  : :"})
    EXPECT_EQ(printable(printable(text)), printable(text));
}

TEST(Printable, JsonKeepsItsMeaningWithoutCommands) {
  std::string json = R"({"a":"##[x] ##vso[y] ## [ \\##[z"})";
  escape_commands(json);
  EXPECT_EQ(json, R"({"a":"\u0023#[x] \u0023#vso[y] ## [ \\\u0023#[z"})");
}

TEST(Printable, MarkdownTextHasNoLinks) {
  EXPECT_EQ(markdown_text("see http://x.y/z and www.x.y"), "see http&#58;//x.y/z and www&#46;x.y");
  EXPECT_EQ(markdown_text("WWW.x"), "WWW&#46;x");
  EXPECT_EQ(markdown_text("claim: 3.5"), "claim: 3.5");
}

TEST(Printable, ANameThatCouldBeWordsOfItsLineIsInQuotes) {
  for (const char* name : {"mine", "simd-avx2", "1.26.4+cpu", "ONNX Runtime 1.17", ""})
    EXPECT_EQ(printable_name(name), name);
  EXPECT_EQ(printable_name("good 1   onnx-tile-13   core   CONFORMANT (full; claim: rank"),
            "\"good 1   onnx-tile-13   core   CONFORMANT (full; claim: rank\"");
  EXPECT_EQ(printable_name("a  b"), "\"a  b\"");
  EXPECT_EQ(printable_name("mine "), "\"mine \"");
  EXPECT_EQ(printable_name("mine: CONFORMANT"), "\"mine: CONFORMANT\"");
  EXPECT_EQ(printable_name("a\"   b"), "\"a'   b\"");
}

TEST(Printable, MarkdownTextIsNeitherMarkupNorHtml) {
  EXPECT_EQ(markdown_text("a|b`c`<b>&"), "a&#124;b&#96;c&#96;&#60;b&#62;&#38;");
  EXPECT_EQ(markdown_text("[x](y)\n"), "&#91;x&#93;(y)&#92;x0a");
}

TEST(Printable, AMarkdownBlockCannotBeClosedFromWithin) {
  EXPECT_EQ(markdown_block("a"), "```text\na\n```\n");
  EXPECT_EQ(markdown_block("````\n# x"), "`````text\n````\n# x\n`````\n");
}

TEST(Printable, ThousandsAreSetApart) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(7240), "7,240");
  EXPECT_EQ(with_thousands(-1234567), "-1,234,567");
}

TEST(Printable, LongListsEndInANumber) {
  EXPECT_EQ(listed({"a", "b"}, 2), "a, b");
  EXPECT_EQ(listed({"a", "b", "c"}, 2), "a, b and 1 more");
}

}  // namespace
}  // namespace certile::conformance
