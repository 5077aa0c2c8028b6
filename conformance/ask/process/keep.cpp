#include "conformance/ask/process/keep.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "backends/worker/process.hpp"
#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/end_like.hpp"
#include "conformance/ask/process/limits.hpp"
#include "conformance/ask/rig/closed_memory.hpp"

namespace certile::conformance {
namespace {

constexpr int runner = backends::Process::keeper_descriptor;

[[noreturn]] void become_the_command(const KeepOptions& options) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  open_own_memory_alone();
  setsid();
  limit_resource(RLIMIT_CORE, 0);
  if (options.memory_limit != 0) limit_writable_memory(options.memory_limit);
  execl("/bin/sh", "sh", "-c", options.command.c_str(), nullptr);
  _exit(127);
}

// Closes the streams, so that their end shows when the command closes them.
void let_go_of_streams() {
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    dup2(nothing, stream);
  close(nothing);
}

[[noreturn]] void end_as(int wait_status) {
  end_descendants();
  end_like(wait_status);
}

// Ends all processes but the one that the runner names; returns false if the runner wants all of them ended.
bool obey(pid_t& kept) {
  pid_t spared = 0;
  const ssize_t got = recv(runner, &spared, sizeof spared, 0);
  if (got < 0 && errno == EINTR) return true;
  if (got != sizeof spared || spared <= 1) return false;
  end_descendants(spared);
  kept = spared;
  const char done = 0;
  return send(runner, &done, sizeof done, MSG_NOSIGNAL) == sizeof done;
}

}  // namespace

std::vector<std::string> keep_arguments(std::uint64_t memory_limit, const Sandbox& sandbox) {
  return {"keep", std::to_string(memory_limit), std::to_string(sandbox.layers), sandbox.folder};
}

std::optional<KeepOptions> parse_keep_arguments(std::span<char* const> arguments) {
  if (arguments.size() != 5 || std::strcmp(arguments[0], "keep") != 0) return std::nullopt;
  KeepOptions options;
  const auto number = [](const char* text, auto& value) {
    const char* end = text + std::strlen(text);
    return std::from_chars(text, end, value).ptr == end && end != text;
  };
  if (!number(arguments[1], options.memory_limit) || !number(arguments[2], options.sandbox.layers))
    return std::nullopt;
  options.sandbox.folder = arguments[3];
  options.command = arguments[4];
  return options;
}

int run_keep(const KeepOptions& options) {
  if (const auto entered = enter_sandbox(options.sandbox); !entered) {
    std::fprintf(stderr, "certile: cannot enter the sandbox: %s\n", entered.error().what.c_str());
    return 126;
  }
  close_own_memory();
  adopt_orphans();
  fcntl(runner, F_SETFD, FD_CLOEXEC);
  sigset_t child_ended;
  sigemptyset(&child_ended);
  sigaddset(&child_ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child_ended, nullptr);
  const int ended = signalfd(-1, &child_ended, SFD_CLOEXEC | SFD_NONBLOCK);
  pid_t kept = fork();
  if (kept == 0) become_the_command(options);
  if (kept < 0) return 126;
  let_go_of_streams();
  for (;;) {
    std::array<pollfd, 2> sources{{{runner, POLLIN, 0}, {ended, POLLIN, 0}}};
    if (poll(sources.data(), sources.size(), -1) < 0 && errno != EINTR) break;
    signalfd_siginfo ignored;
    while (read(ended, &ignored, sizeof ignored) > 0) {
    }
    int status = 0;
    for (pid_t found = 0; (found = waitpid(-1, &status, WNOHANG)) > 0;)
      if (found == kept) end_as(status);
    if (sources[0].revents != 0 && !obey(kept)) break;
  }
  end_descendants();
  return 0;
}

}  // namespace certile::conformance
