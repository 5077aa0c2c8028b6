#include "conformance/ask/process/descendants.hpp"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <exception>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

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

namespace {

// Returns the children of a process, as the kernel lists them by thread; a part of them if the process ends
// meanwhile.  Throws if there is no memory; an iterator of the standard library would end this process.
std::vector<pid_t> listed_children_of(pid_t parent) {
  std::vector<pid_t> found;
  const std::string threads = "/proc/" + std::to_string(parent) + "/task/";
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(threads.c_str()), closedir);
  while (directory) {
    const dirent* thread = readdir(directory.get());
    if (thread == nullptr) break;
    std::ifstream list(threads + thread->d_name + "/children");
    for (pid_t child = 0; list >> child;)
      found.push_back(child);
  }
  return found;
}

// Returns the children of a process that `is_meant` selects, and all their descendants; none if they cannot
// be listed, because the caller is about to end and has no other way.
template <class IsMeant>
std::vector<pid_t> family_of(pid_t parent, IsMeant is_meant) noexcept {
  try {
    std::vector<pid_t> found = listed_children_of(parent);
    std::erase_if(found, [&](pid_t child) { return !is_meant(child); });
    for (std::size_t index = 0; index < found.size(); ++index) {
      const std::vector<pid_t> below = listed_children_of(found[index]);
      found.insert(found.end(), below.begin(), below.end());
    }
    return found;
  } catch (const std::exception&) {
    return {};
  }
}

// Stops all processes before killing the first, because one that forks meanwhile would escape.
void kill_all(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes)
    kill(process, SIGSTOP);
  for (const pid_t process : processes)
    kill(process, SIGKILL);
}

// Repeats until no process is left.  Hundreds may have to die, and each needs a turn of the processor.
template <class Kill>
void repeat(Kill kill_some) {
  constexpr std::chrono::seconds patience{30};
  const auto start = std::chrono::steady_clock::now();
  while (kill_some() && std::chrono::steady_clock::now() - start < patience)
    usleep(500);
}

// Kills all processes of the namespace whose first one this is, which needs no list of them.
void end_namespace() {
  repeat([] {
    kill(-1, SIGKILL);
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    return waitpid(-1, nullptr, WNOHANG) == 0;
  });
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t parent) noexcept {
  return family_of(parent, [](pid_t) { return true; });
}

void end_descendants(pid_t spared) noexcept {
  if (getpid() == 1 && spared == 0) return end_namespace();
  repeat([spared] {
    std::vector<pid_t> left = descendants_of(getpid());
    std::erase(left, spared);
    kill_all(left);
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    return !left.empty();
  });
}

void end_descendants_of(pid_t parent) noexcept {
  kill_all(descendants_of(parent));
}

void adopt_orphans() noexcept {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void end_orphans() noexcept {
  const auto is_orphan = [](pid_t child) { return getsid(child) != getsid(0); };
  repeat([is_orphan] {
    const std::vector<pid_t> orphans = family_of(getpid(), is_orphan);
    kill_all(orphans);
    for (const pid_t orphan : orphans)
      waitpid(orphan, nullptr, WNOHANG);
    return !orphans.empty();
  });
}

}  // namespace certile::conformance
