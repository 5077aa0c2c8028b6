#include "backends/plugin/captured_output.hpp"

#include <gtest/gtest.h>

#include <string>

namespace certile::backends {
namespace {

TEST(CapturedOutput, IsWhatWasPrintedIfThatIsShort) {
  CapturedOutput output;
  EXPECT_EQ(output.text(), "");
  output.append(std::string("one\ntwo"));
  output.append(std::string("\nthree"));
  EXPECT_EQ(output.text(), "one\ntwo\nthree");
  const std::string both(2 * CapturedOutput::half - 13, 'x');
  output.append(both);
  EXPECT_EQ(output.text(), "one\ntwo\nthree" + both);
  output.clear();
  EXPECT_EQ(output.text(), "");
}

TEST(CapturedOutput, KeepsWholeLinesOfBothEndsAndCountsTheRest) {
  for (const std::size_t piece : {1U, 7U, 4096U, 5000U, 1U << 20}) {
    std::string all;
    for (int line = 0; line < 3000; ++line)
      all += "line " + std::to_string(line) + '\n';
    CapturedOutput output;
    for (std::size_t at = 0; at < all.size(); at += piece)
      output.append(std::span(all).subspan(at, std::min(piece, all.size() - at)));
    const std::string text = output.text();
    EXPECT_TRUE(text.starts_with("line 0\nline 1\n"));
    EXPECT_TRUE(text.ends_with("\nline 2998\nline 2999\n"));
    const std::size_t gap = text.find("\n… "), end = text.find(" …\n");
    ASSERT_NE(end, text.npos);
    const std::string head = text.substr(0, gap), tail = text.substr(end + std::string(" …\n").size());
    EXPECT_TRUE(all.starts_with(head + "\n"));
    EXPECT_TRUE(all.ends_with("\n" + tail));
    const std::size_t left_out = all.size() - head.size() - 1 - tail.size();
    EXPECT_NE(text.find("… " + std::to_string(left_out) + " bytes"), text.npos) << text.substr(gap, 40);
    EXPECT_LE(text.size(), 2 * CapturedOutput::half + 60);
  }
}

TEST(CapturedOutput, CutsALineThatIsTooLong) {
  CapturedOutput output;
  output.append(std::string(3 * CapturedOutput::half, 'x'));
  output.append(std::string("the end\n"));
  const std::string text = output.text();
  EXPECT_TRUE(
      text.starts_with(std::string(CapturedOutput::half, 'x') + "\n… 4104 bytes are left out here …\nx"));
  EXPECT_TRUE(text.ends_with("xthe end\n"));
}

TEST(CapturedOutput, IsReadSafelyAfterAHostileProcessHasOverwrittenIt) {
  CapturedOutput output;
  std::fill_n(reinterpret_cast<unsigned char*>(&output), sizeof output, 0xff);
  EXPECT_LE(output.text().size(), 2 * CapturedOutput::half + 60);
  output.append(std::string(10, 'y'));
  EXPECT_TRUE(output.text().ends_with("yyyyyyyyyy"));
}

TEST(CapturedOutput, IsShownInOneLineOrAsIndentedLines) {
  EXPECT_EQ(printed_words(""), "");
  EXPECT_EQ(printed_words("\n \n"), "");
  EXPECT_EQ(printed_words("no licence\n"), "it printed: no licence");
  EXPECT_EQ(printed_words("Traceback:\n  line 3\n\nKeyError\n\n"),
            "it printed:\n  Traceback:\n    line 3\n  \n  KeyError");
}

}  // namespace
}  // namespace certile::backends
