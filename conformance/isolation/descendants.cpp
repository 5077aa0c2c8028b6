#include "conformance/isolation/descendants.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

namespace certile {
namespace {

// The children of this process, as the kernel lists them.
std::vector<pid_t> children() {
  const std::string self = std::to_string(getpid());
  std::ifstream list("/proc/" + self + "/task/" + self + "/children");
  std::vector<pid_t> found;
  for (pid_t child = 0; list >> child;)
    found.push_back(child);
  return found;
}

}  // namespace

void end_descendants() noexcept {
  constexpr int rounds = 1000;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<pid_t> left = children();
    if (left.empty()) return;
    for (const pid_t child : left)
      kill(child, SIGSTOP);
    for (const pid_t child : left)
      kill(child, SIGKILL);
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    usleep(500);
  }
}

}  // namespace certile
