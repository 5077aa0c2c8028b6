#include "conformance/isolation/descendants.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace certile {
namespace {

// The children of a process, as the kernel lists them, thread by thread.  May throw, where there is no
// memory.
std::vector<pid_t> listed_children_of(pid_t parent) {
  const std::string tasks = "/proc/" + std::to_string(parent) + "/task";
  std::error_code gone;
  std::vector<pid_t> found;
  for (std::filesystem::directory_iterator task(tasks, gone), end; !gone && task != end;
       task.increment(gone)) {
    std::ifstream list(task->path() / "children");
    for (pid_t child = 0; list >> child;)
      found.push_back(child);
  }
  return found;
}

// The same; none where they cannot be listed, since whoever asks is about to end and has no other way.
std::vector<pid_t> children_of(pid_t parent) noexcept {
  try {
    return listed_children_of(parent);
  } catch (const std::exception&) {
    return {};
  }
}

// Stops them all before the first is killed: one that forks meanwhile would be ahead of us.
void kill_all(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes)
    kill(process, SIGSTOP);
  for (const pid_t process : processes)
    kill(process, SIGKILL);
}

constexpr int rounds = 1000;

}  // namespace

void end_descendants(pid_t spared) noexcept {
  for (int round = 0; round < rounds; ++round) {
    std::vector<pid_t> left = children_of(getpid());
    if (std::erase(left, spared) > 0) {
      const std::vector<pid_t> below = children_of(spared);
      left.insert(left.end(), below.begin(), below.end());
    }
    if (left.empty()) return;
    kill_all(left);
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    usleep(500);
  }
}

void end_children_of(pid_t parent) noexcept {
  kill_all(children_of(parent));
}

void adopt_orphans() noexcept {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void end_orphans() noexcept {
  for (int round = 0; round < rounds; ++round) {
    std::vector<pid_t> orphans = children_of(getpid());
    std::erase_if(orphans, [](pid_t child) { return getsid(child) == getsid(0); });
    if (orphans.empty()) return;
    kill_all(orphans);
    for (const pid_t orphan : orphans)
      waitpid(orphan, nullptr, WNOHANG);
    usleep(500);
  }
}

}  // namespace certile
