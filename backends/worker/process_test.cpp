#include "backends/worker/process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <string_view>

namespace certile::backends {
namespace {

using namespace std::chrono_literals;
using Exchange = Process::Exchange;

Process::Deadline soon() {
  return Process::Clock::now() + 20ms;
}
Process::Deadline in_a_while() {
  return Process::Clock::now() + 20s;
}

std::unique_ptr<Process> started(const std::string& command) {
  auto process = Process::start({"/bin/sh", "-c", command});
  EXPECT_TRUE(process);
  return *std::move(process);
}

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string text(const std::vector<std::byte>& content) {
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

bool exists(pid_t process) {
  return kill(process, 0) == 0 || errno != ESRCH;
}

// Returns the number that the process wrote, up to a newline.
pid_t read_number(Process& process) {
  std::string digits;
  while (process.receive(1, in_a_while()) == Exchange::done) {
    const std::string next = text(process.take(1));
    if (next == "\n") break;
    digits += next;
  }
  return static_cast<pid_t>(std::stol(digits));
}

TEST(Process, GivesBackWhatACommandEchoes) {
  const auto process = started("cat");
  auto unsent = bytes("four");
  ASSERT_EQ(process->send(unsent, in_a_while()), Exchange::done);
  ASSERT_EQ(process->receive(4, in_a_while()), Exchange::done);
  EXPECT_EQ(text(process->take(4)), "four");
}

TEST(Process, KeepsWhatWasNotTaken) {
  const auto process = started("printf abcdef");
  ASSERT_EQ(process->receive(6, in_a_while()), Exchange::done);
  EXPECT_EQ(text(process->take(2)), "ab");
  EXPECT_EQ(text(process->take(4)), "cdef");
}

TEST(Process, MovesMoreThanAPipeHoldsInBothDirectionsAtOnce) {
  const auto process = started("cat");
  const std::string large(std::size_t{8} << 20, 'x');
  auto unsent = bytes(large);
  ASSERT_EQ(process->send(unsent, in_a_while()), Exchange::done);
  ASSERT_EQ(process->receive(large.size(), in_a_while()), Exchange::done);
  EXPECT_EQ(text(process->take(large.size())), large);
}

TEST(Process, SaysHowItEnded) {
  const auto process = started("exit 3");
  EXPECT_EQ(process->receive(1, in_a_while()), Exchange::ended);
  EXPECT_EQ(WEXITSTATUS(process->close(in_a_while())), 3);
}

TEST(Process, SaysWhichSignalEndedIt) {
  const auto process = started("kill -SEGV $$");
  EXPECT_EQ(process->receive(1, in_a_while()), Exchange::ended);
  EXPECT_EQ(WTERMSIG(process->close(in_a_while())), SIGSEGV);
}

TEST(Process, IsLateWhenItSaysNothing) {
  const auto process = started("sleep 1000");
  EXPECT_EQ(process->receive(1, soon()), Exchange::late);
}

TEST(Process, IsLateWhenItDoesNotReadWhatIsSent) {
  const auto process = started("sleep 1000");
  const std::string large(std::size_t{8} << 20, 'x');
  auto unsent = bytes(large);
  EXPECT_EQ(process->send(unsent, soon()), Exchange::late);
  EXPECT_LT(unsent.size(), large.size());
}

TEST(Process, OutlivesOneThatEndsWithoutReading) {
  const auto process = started("exit 0");
  const std::string large(std::size_t{8} << 20, 'x');
  auto unsent = bytes(large);
  EXPECT_EQ(process->send(unsent, in_a_while()), Exchange::ended);
}

TEST(Process, EndsWithItsOwnEndAlsoWhereAChildHoldsThePipe) {
  const auto process = started("sleep 1000 & exit 2");
  EXPECT_EQ(process->receive(1, in_a_while()), Exchange::ended);
  EXPECT_EQ(WEXITSTATUS(*process->wait_status()), 2);
}

TEST(Process, KeepsBothEndsOfWhatIsPrinted) {
  const auto process = started("echo the beginning >&2; yes | head -c 100000 >&2; echo the end >&2; exit 1");
  EXPECT_EQ(process->receive(1, in_a_while()), Exchange::ended);
  process->close(in_a_while());
  const std::string printed = process->diagnostics();
  EXPECT_TRUE(printed.starts_with("the beginning\ny\n"));
  EXPECT_NE(printed.find("bytes are left out here"), printed.npos);
  EXPECT_TRUE(printed.ends_with("y\nthe end\n"));
}

TEST(Process, LeavesNothingRunning) {
  pid_t shell = 0;
  pid_t child = 0;
  {
    const auto process = started("sleep 1000 & echo $$; echo $!; wait");
    shell = read_number(*process);
    child = read_number(*process);
    EXPECT_TRUE(exists(shell));
  }
  EXPECT_FALSE(exists(shell));
  // The child is killed too, but may not be reaped yet.
  EXPECT_TRUE(!exists(child) || kill(child, SIGKILL) == 0);
}

TEST(Process, EndsWhenItsInputIsClosed) {
  const auto process = started("cat; exit 5");
  EXPECT_EQ(WEXITSTATUS(process->close(in_a_while())), 5);
}

TEST(Process, IsEndedWhenItIgnoresTheClosedInput) {
  const auto process = started("sleep 1000");
  EXPECT_EQ(WTERMSIG(process->close(soon())), SIGKILL);
}

TEST(Process, SaysInWordsHowOneEnded) {
  EXPECT_EQ(end_words(meant_by_shell(139 << 8)), "signal 11 (Segmentation fault)");
  EXPECT_EQ(end_words(meant_by_shell(3 << 8)), "exit code 3");
  EXPECT_EQ(end_words(meant_by_shell(SIGABRT)), "signal 6 (Aborted)");
}

}  // namespace
}  // namespace certile::backends
