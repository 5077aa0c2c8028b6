#include "conformance/text/foreign_json.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace certile::conformance {
namespace {

// Returns the lines, each in brackets, and the error that ends them.
std::string lines_in(const std::string& text, std::uint64_t most = ForeignLines::most_bytes) {
  std::istringstream file(text);
  ForeignLines lines(file, "a.jsonl", most);
  std::string all;
  for (std::string line;;) {
    const auto next = lines.next(line);
    if (!next) return all + next.error().what;
    if (!*next) return all;
    all += "[" + (line.size() > 99 ? std::to_string(line.size()) : line) + "]";
  }
}

TEST(ForeignLines, AreThoseOfTheFile) {
  EXPECT_EQ(lines_in(""), "");
  EXPECT_EQ(lines_in("\n"), "[]");
  EXPECT_EQ(lines_in("one\n\nthree\n"), "[one][][three]");
  EXPECT_EQ(lines_in(std::string("a\0b\n", 4)), std::string("[a\0b]", 5));
}

TEST(ForeignLines, AreWholeWhateverTheirLength) {
  for (const std::size_t size : {65'534U, 65'535U, 65'536U, 65'537U, 131'070U, 131'071U, 200'000U})
    EXPECT_EQ(lines_in(std::string(size, 'x') + "\nend\n"), "[" + std::to_string(size) + "][end]");
}

TEST(ForeignLines, EndWithANewline) {
  EXPECT_EQ(lines_in("one\ntwo"), "[one]a.jsonl:2: the line has no newline: the file was cut short");
  EXPECT_EQ(lines_in(std::string(65'535, 'x')), "a.jsonl:1: the line has no newline: the file was cut short");
}

TEST(ForeignLines, HaveAtMostFourMebibytes) {
  const std::string longest(ForeignLines::longest_line, 'a');
  EXPECT_EQ(lines_in(longest + "\n"), "[4194304]");
  EXPECT_EQ(lines_in(longest + "a\n"), "a.jsonl:1: the line has more than 4 MiB");
}

TEST(ForeignLines, HaveALimitInTotal) {
  EXPECT_EQ(lines_in("one\ntwo\n", 8), "[one][two]");
  EXPECT_EQ(lines_in("one\ntwo\n", 7), "[one]a.jsonl:2: the file holds more than certile reads of one");
}

}  // namespace
}  // namespace certile::conformance
