#include <gtest/gtest.h>

#include <sstream>

#include "bench/report/report.hpp"
#include "bench/report/synthetic_run_test.hpp"

namespace certile::bench {
namespace {

std::string table_of(const BenchRun& run, const TableOptions& options = {}) {
  std::ostringstream out;
  write_table(out, run, options);
  return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

// Returns the first line that begins with `start`, after any spaces.
std::string line_of(const std::string& text, const std::string& start) {
  for (const std::string& line : lines_of(text)) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos && line.compare(first, start.size(), start) == 0) return line;
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(BenchTable, LineHasTimeRateShareRatioAndWord) {
  EXPECT_EQ(line_of(table_of(synthetic_run()), "quick "),
            "    quick                   20.0 ns 28.8 | 29.1 -1 +1 %      0.90 | 0.90       10.0 | 10.0 10.0 "
            "to 10.0  "
            "faster");
}

TEST(BenchTable, FailureStandsInPlaceOfATime) {
  EXPECT_TRUE(contains(table_of(synthetic_run()),
                       "    broken                 fail: element [0,0,4] is 0x0, expected 0x3f800000\n"));
}

TEST(BenchTable, ColdIsALineOfItsOwn) {
  EXPECT_TRUE(contains(line_of(table_of(synthetic_run()), "quick, cold"), "18.0 | 18.2"));
}

TEST(BenchTable, HasTheMachineTheCommitAndTheLibrary) {
  const std::string table = table_of(synthetic_run());
  EXPECT_TRUE(contains(table, "Example 9000; 2 cores; caches 32 KiB, 1 MiB, 32 MiB"));
  EXPECT_TRUE(contains(table, "commit 0123abc; Google Benchmark 1.7.1, a debug build"));
  EXPECT_TRUE(contains(table, "seed 7"));
}

TEST(BenchTable, FitsInto130Columns) {
  BenchRun run = synthetic_run();
  run.cases[1].subjects[0].name = "simd-avx512-vbmi";
  run.cases[1].subjects[0].hot->cores = 2;
  for (const std::string& line : lines_of(table_of(run)))
    EXPECT_LE(line.size(), 130u) << line;
}

TEST(BenchTable, HasNoEscapesUnlessAsked) {
  EXPECT_FALSE(contains(table_of(synthetic_run()), "\x1b"));
  EXPECT_TRUE(contains(table_of(synthetic_run(), {.colour = true}), "\x1b[31mfail\x1b[0m"));
}

TEST(BenchTable, EscapesOfAStrangersNameAreMadeVisible) {
  BenchRun run = synthetic_run();
  run.cases[0].subjects[0].name = "\x1b[2Jquick";
  run.cases[0].subjects[2].why = "\x1b[2J";
  EXPECT_FALSE(contains(table_of(run), "\x1b"));
}

TEST(BenchTable, OfNothingIsShort) {
  EXPECT_TRUE(contains(table_of(BenchRun{}), "Medians of 0 rounds"));
}

}  // namespace
}  // namespace certile::bench
