#include "conformance/ask/process/end_like.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "conformance/ask/process/limits.hpp"

namespace certile::conformance {

void end_like(int wait_status) noexcept {
  if (!WIFSIGNALED(wait_status)) _exit(WEXITSTATUS(wait_status));
  const int number = WTERMSIG(wait_status);
  limit_resource(RLIMIT_CORE, 0);
  std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  kill(getpid(), number);
  constexpr int signalled = 128;
  _exit(signalled + number);
}

}  // namespace certile::conformance
