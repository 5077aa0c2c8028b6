#include "conformance/text/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace certile::conformance {
namespace {

// A terminal without a screen.
class Terminal : public testing::Test {
 protected:
  Terminal() {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    if (grantpt(owner_) == 0 && unlockpt(owner_) == 0) end_ = open(ptsname(owner_), O_RDWR | O_NOCTTY);
  }
  void TearDown() override {
    close(end_);
    close(owner_);
  }
  void make_wide(unsigned short columns) const {
    winsize size{};
    size.ws_col = columns;
    ASSERT_EQ(ioctl(owner_, TIOCSWINSZ, &size), 0);
  }

  int owner_ = posix_openpt(O_RDWR | O_NOCTTY), end_ = -1;
};

TEST_F(Terminal, GetsColoursUnlessTheUserWantsNone) {
  ASSERT_GE(end_, 0);
  EXPECT_TRUE(is_terminal(end_));
  EXPECT_TRUE(wants_colour(end_));
  setenv("NO_COLOR", "", 1);
  EXPECT_FALSE(wants_colour(end_));
  EXPECT_TRUE(is_terminal(end_));
}

TEST_F(Terminal, ThatIsDumbGetsNoEscapes) {
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(is_terminal(end_));
  EXPECT_FALSE(wants_colour(end_));
}

TEST_F(Terminal, HasItsColumnsButNeverFewerThanSixty) {
  make_wide(143);
  EXPECT_EQ(columns_of(end_, 110), 143U);
  make_wide(20);
  EXPECT_EQ(columns_of(end_, 110), 60U);
}

TEST_F(Terminal, IsNoFile) {
  const int file = open("/dev/null", O_RDWR);
  EXPECT_FALSE(is_terminal(file));
  EXPECT_EQ(columns_of(file, 110), 110U);
  close(file);
}

}  // namespace
}  // namespace certile::conformance
