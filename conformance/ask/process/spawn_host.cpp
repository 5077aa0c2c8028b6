#include "conformance/ask/process/spawn_host.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>

#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/host.hpp"

namespace certile::conformance {

int spawn_host(pid_t& host, const std::string& program, char* const* words, char* const* environment,
               const std::array<int, 3>& given, int output, int copy) {
  posix_spawn_file_actions_t actions;
  int failed = posix_spawn_file_actions_init(&actions);
  if (failed != 0) return failed;
  // These come first, because their numbers may be those of the host's descriptors.
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    if (failed == 0 && output >= 0) failed = posix_spawn_file_actions_adddup2(&actions, output, stream);
  if (failed == 0 && copy >= 0) failed = posix_spawn_file_actions_adddup2(&actions, copy, host_own_program);
  for (int index = 0; failed == 0 && index < 3; ++index)
    failed = posix_spawn_file_actions_adddup2(&actions, given[static_cast<std::size_t>(index)],
                                              host_requests + index);
  const int others = copy >= 0 ? host_own_program + 1 : host_own_program;
  if (failed == 0) failed = posix_spawn_file_actions_addclosefrom_np(&actions, others);

  // A separate group, so that only the runner gets an interrupt from the keyboard.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  // The two that this process ignores itself are the same in each run.
  sigset_t usual;
  sigfillset(&usual);
  for (const int signal : {SIGPIPE, SIGXFSZ})
    sigdelset(&usual, signal);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  if (failed == 0) failed = posix_spawnp(&host, program.c_str(), &actions, &attributes, words, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

bool has_ended(pid_t process) noexcept {
  const pid_t found = waitpid(process, nullptr, WNOHANG);
  return found == process || (found < 0 && errno == ECHILD);
}

void end_host(pid_t host) noexcept {
  constexpr std::chrono::seconds patience{2};
  const auto start = std::chrono::steady_clock::now();
  while (!has_ended(host)) {
    if (std::chrono::steady_clock::now() - start > patience) {
      end_descendants_of(host);
      kill(host, SIGKILL);
      waitpid(host, nullptr, 0);
      break;
    }
    usleep(200);
  }
  end_orphans();  // of a host that could not end them all
}

}  // namespace certile::conformance
