#include "conformance/ask/rig/left_processes.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace certile::conformance {
namespace {

// Returns the number of children that a thread has started, as the system lists them.
std::int64_t children_of(const char* process, const char* thread) noexcept {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%s/task/%s/children", process, thread);
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::int64_t count = 0;
  std::array<char, 4096> piece;
  for (ssize_t got = 0; (got = read(file, piece.data(), piece.size())) > 0;)
    count += std::count(piece.begin(), piece.begin() + got, ' ');  // one behind each number
  close(file);
  return count;
}

std::int64_t own_children() noexcept {
  siginfo_t first{};
  if (waitid(P_ALL, 0, &first, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return 0;
  DIR* const threads = opendir("/proc/self/task");
  if (threads == nullptr) return 0;
  std::int64_t count = 0;
  while (const dirent* thread = readdir(threads))
    if (thread->d_name[0] != '.') count += children_of("self", thread->d_name);
  closedir(threads);
  return count;
}

// Returns the number of orphans that the parent of this process has adopted, if that is a host: its child
// leads a session, and is the only one that it has started.
std::int64_t orphans_of_host() noexcept {
  if (getsid(0) != getpid()) return 0;
  std::array<char, 16> host{};
  std::snprintf(host.data(), host.size(), "%d", getppid());
  return std::max<std::int64_t>(children_of(host.data(), host.data()) - 1, 0);
}

}  // namespace

std::int64_t left_processes() noexcept {
  return own_children() + orphans_of_host();
}

}  // namespace certile::conformance
