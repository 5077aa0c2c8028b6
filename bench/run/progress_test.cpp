#include "bench/run/progress.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace certile::bench {
namespace {

TEST(BenchProgress, IsNotWrittenWhereThereIsNoTerminal) {
  std::ostringstream out;
  Progress progress(out, false, 80);
  progress.show("1 of 3");
  progress.clear();
  EXPECT_EQ(out.str(), "");
  progress.note("mine is left out");
  EXPECT_EQ(out.str(), "certile-bench: mine is left out\n");
}

TEST(BenchProgress, IsOneLineOfATerminalAndGoneAfterwards) {
  std::ostringstream out;
  {
    Progress progress(out, true, 80);
    progress.show("1 of 3");
    progress.note("mine is left out");
    progress.show("2 of 3");
  }
  EXPECT_EQ(out.str(),
            "\r\033[Kcertile-bench: 1 of 3"
            "\r\033[Kcertile-bench: mine is left out\n"
            "\r\033[Kcertile-bench: 2 of 3"
            "\r\033[K");
}

TEST(BenchProgress, FitsTheTerminal) {
  std::ostringstream out;
  Progress progress(out, true, 60);
  progress.show(std::string(200, 'x'));
  const std::string line = out.str().substr(4);  // without the escape
  EXPECT_EQ(line, "certile-bench: " + std::string(43, 'x') + "…");
}

}  // namespace
}  // namespace certile::bench
