#include "bench/timing/instructions.hpp"

#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>  // IWYU pragma: keep, for user_regs_struct
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <optional>
#include <string>

namespace certile::bench {
namespace {

Error untraceable(const std::string& what) {
  return {Error::Code::io, "instructions cannot be counted: " + what};
}

// A child that is traced from its first stop on, and killed at the end.
class Traced {
 public:
  // Starts a child that calls `body` once, stops, calls `body` again, and stops for the last time.
  explicit Traced(const std::function<void()>& body) : child_(fork()) {
    if (child_ != 0) return;
    body();  // what happens only once, such as symbols that are bound
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
    raise(SIGSTOP);
    body();
    raise(SIGSTOP);
    _exit(0);
  }
  ~Traced() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;

  bool is_running() const noexcept { return child_ > 0; }
  // Waits for the child to stop; returns the signal that stopped it, or nothing if it has ended.
  std::optional<int> wait_for_stop() noexcept {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0)
      if (errno != EINTR) return std::nullopt;
    if (WIFSTOPPED(status)) return WSTOPSIG(status);
    child_ = -1;
    return std::nullopt;
  }
  bool step() const noexcept { return ptrace(PTRACE_SINGLESTEP, child_, nullptr, nullptr) == 0; }
  // Returns where the next instruction is, or 0 where a step is always a whole instruction.
  unsigned long place() const noexcept {
#if defined(__x86_64__)
    return static_cast<unsigned long>(
        ptrace(PTRACE_PEEKUSER, child_, reinterpret_cast<void*>(offsetof(user, regs.rip)), nullptr));
#else
    return 0;
#endif
  }

 private:
  pid_t child_;
};

// Counts the steps between the two stops, which include those of the second raise().
Result<std::int64_t> count_steps(const std::function<void()>& body) {
  Traced child(body);
  if (!child.is_running()) return untraceable("no process can be started");
  if (child.wait_for_stop() != SIGSTOP) return untraceable("a process may not be traced here");
  std::int64_t steps = 0;
  for (unsigned long before = 0;;) {
    if (!child.step()) return untraceable("a process cannot be stepped here");
    const auto stop = child.wait_for_stop();
    if (stop == SIGSTOP) return steps;
    if (stop != SIGTRAP) return untraceable("the body did not end");
    // A string instruction stops after each of its steps, in the same place.
    const unsigned long place = child.place();
    if (place == 0 || place != before) ++steps;
    before = place;
  }
}

}  // namespace

Result<std::int64_t> count_instructions(const std::function<void()>& body) {
  const auto with = count_steps(body);
  if (!with) return with.error();
  const auto without = count_steps([] {});
  if (!without) return without.error();
  return *with - *without;
}

}  // namespace certile::bench
