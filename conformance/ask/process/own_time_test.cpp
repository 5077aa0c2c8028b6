#include "conformance/ask/process/process_table.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace certile::conformance {
namespace {

using std::chrono::hours;

// A child of this process that does one thing until it is killed.
class Child {
 public:
  explicit Child(void (*work)()) : id_(fork()) {
    while (id_ == 0)
      work();
  }
  ~Child() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  pid_t id() const noexcept { return id_; }

 private:
  pid_t id_;
};

// A kernel that waits for ever has no processor, and wants none.
TEST(OwnTime, IsTheWholeWaitForAProcessThatSleeps) {
  const Child child([] { pause(); });
  siginfo_t stopped;
  kill(child.id(), SIGSTOP);
  waitid(P_PID, static_cast<id_t>(child.id()), &stopped, WSTOPPED | WNOWAIT);
  OwnTime time;
  time.add(child.id(), hours(1));  // the first look is at what it has computed
  time.add(child.id(), hours(1));
  EXPECT_EQ(time.total(), hours(1));
}

TEST(OwnTime, IsNoMoreThanTheProcessorTimeOfAProcessThatComputes) {
  const Child child([] {});
  OwnTime time;
  for (int look = 0; look < 10; ++look)
    time.add(child.id(), hours(1));
  EXPECT_LT(time.total(), hours(1));
}

TEST(OwnTime, OfShortWaitsIsAddedUp) {
  OwnTime time;
  time.add(getpid(), std::chrono::milliseconds(49));
  EXPECT_EQ(time.total(), OwnTime::Duration(0));
}

TEST(OwnTime, OfAProcessThatHasEndedIsTheWait) {
  pid_t gone = 0;
  {
    const Child child([] { pause(); });
    gone = child.id();
  }
  OwnTime time;
  time.add(gone, hours(1));
  time.add(gone, hours(1));
  EXPECT_EQ(time.total(), hours(1));
}

}  // namespace
}  // namespace certile::conformance
