#include "conformance/ask/process/host.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/host_options.hpp"
#include "conformance/ask/process/limits.hpp"
#include "conformance/ask/process/serve.hpp"
#include "conformance/ask/process/shared_memory.hpp"
#include "conformance/ask/process/surroundings.hpp"
#include "conformance/ask/rig/closed_memory.hpp"
#include "conformance/ask/rig/fault_handler.hpp"
#include "conformance/ask/rig/stacks.hpp"
#include "conformance/ask/sandbox/private_folder.hpp"
#include "conformance/ask/wire/control_block.hpp"

namespace certile::conformance {
namespace {

class Host {
 public:
  Host(HostOptions options, OpenBackend open, SharedMemory requests, SharedMemory replies)
      : options_(std::move(options)),
        open_(open),
        requests_(std::move(requests)),
        replies_(std::move(replies)) {}
  // Makes the host of a worker.
  explicit Host(HostOptions options) : options_(std::move(options)) {}

  int run() {
    adopt_orphans();  // so that none outlives the child, its ancestor
    sigset_t child_ended;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, nullptr);
    const int ended = signalfd(-1, &child_ended, SFD_CLOEXEC | SFD_NONBLOCK);
    if (options_.are_of_worker()) start_command();
    for (;;) {
      std::array<pollfd, 3> sources{{{host_socket, POLLIN, 0}, {ended, POLLIN, 0}, {printed_, POLLIN, 0}}};
      if (poll(sources.data(), sources.size(), -1) < 0 && errno != EINTR) return 1;
      if (sources[2].revents != 0) keep_what_was_printed();
      if (sources[1].revents != 0) {
        signalfd_siginfo ignored;
        while (read(ended, &ignored, sizeof ignored) > 0) {
        }
        reap();
      }
      if (sources[0].revents != 0 && !obey()) return 0;
    }
  }

 private:
  ControlBlock& control() const { return *reinterpret_cast<ControlBlock*>(replies_->bytes().data()); }

  // Returns false if the runner has ended or wants this process to end.
  bool obey() {
    if (options_.are_of_worker()) return obey_of_worker();
    char command = 0;
    const ssize_t got = read(host_socket, &command, 1);
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) {
      end_descendants();
      return false;
    }
    if (command == 's') start_child();
    if (command == 'k') kill_child();
    return true;
  }

  // Ends all processes but the one that the runner names.
  bool obey_of_worker() {
    pid_t spared = 0;
    const ssize_t got = read(host_socket, &spared, sizeof spared);
    if (got < 0 && errno == EINTR) return true;
    const bool is_named = got == sizeof spared && spared > 1;
    end_descendants(is_named ? spared : 0);
    child_ = spared;
    return is_named && send(host_socket, "", 1, MSG_NOSIGNAL) == 1;
  }

  void start_child() {
    if (child_ > 0) end_descendants();  // a living child claimed that it had ended
    std::array<int, 2> pipe_ends{-1, -1};
    control().printed.clear();
    if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return note_end(1 << 8);
    fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    control().state.store(ChildState::starting);
    const pid_t host = getpid();
    fork_child(
        [&] { serve_in_child(options_, requests_->bytes(), replies_->bytes(), host, pipe_ends[1], open_); });
    close(pipe_ends[1]);
    if (printed_ >= 0) close(printed_);
    printed_ = pipe_ends[0];
    if (child_ < 0) note_end(1 << 8);
  }

  void start_command() {
    fcntl(host_socket, F_SETFD, FD_CLOEXEC);
    fork_child([this] {
      open_own_memory_alone();
      setsid();
      limit_resource(RLIMIT_CORE, 0);
      if (options_.memory_limit != 0) limit_writable_memory(options_.memory_limit);
      execl("/bin/sh", "sh", "-c", options_.spelling.c_str(), nullptr);
      _exit(127);
    });
    if (child_ < 0) note_end(126 << 8);
    // The host closes the streams, so that their end shows when the command closes them.
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      dup2(nothing, stream);
    close(nothing);
  }

  template <class Run>
  void fork_child(Run run) {
    child_ = fork();
    if (child_ != 0) return;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    run();
  }

  void kill_child() {
    if (child_ > 0) kill(child_, SIGKILL);
    reap();
  }

  void reap() {
    int status = 0;
    for (;;) {
      const pid_t ended = waitpid(-1, &status, WNOHANG);
      if (ended <= 0) return;
      if (ended != child_) continue;
      child_ = -1;
      end_descendants();
      keep_what_was_printed();
      note_end(status);
    }
  }

  void note_end(int status) {
    if (options_.are_of_worker()) end_like(status);
    control().wait_status.store(status);
    control().state.store(ChildState::dead);
    futex_ring(control().events);
  }

  // Keeps what was printed, without waiting for the pipe's end: another process may hold it open.
  void keep_what_was_printed() {
    std::array<char, 4096> buffer;
    for (int rounds = 0; rounds < 64 && printed_ >= 0; ++rounds) {
      const ssize_t got = read(printed_, buffer.data(), buffer.size());
      if (got > 0) {
        control().printed.append({buffer.data(), static_cast<std::size_t>(got)});
        continue;
      }
      if (got == 0) {
        close(printed_);
        printed_ = -1;
      }
      return;
    }
  }

  HostOptions options_;
  OpenBackend open_ = nullptr;
  std::optional<SharedMemory> requests_, replies_;  // nothing: of a worker
  pid_t child_ = -1;
  int printed_ = -1;  // the child's output
};

// Enters the fresh folder, from which the backend's own files can be seen, also by a link to them.
void leave_files_of_others(HostOptions& options) {
  std::vector<std::string> kept;
  if (options.spelling.find('/') != std::string::npos) {
    std::error_code failed;
    kept.push_back(std::filesystem::canonical(options.spelling, failed));
    options.spelling = std::filesystem::absolute(options.spelling, failed);
    kept.push_back(options.spelling);
  }
  const char* const libraries = std::getenv("LD_LIBRARY_PATH");
  std::istringstream paths(libraries == nullptr ? "" : libraries);
  for (std::string path; std::getline(paths, path, ':');)
    kept.push_back(path);
  enter_fresh_folder(options.sandbox.folder, kept);
}

}  // namespace

WrittenFiles* written_files = nullptr;

int run_host(int argument_count, char** arguments, OpenBackend open) {
  // The system names a process after its file, which may be a copy in memory that has no name.
  if (std::string_view(arguments[0]) == program_of_a_user) {
    prctl(PR_SET_NAME, program_of_a_user);
    close(host_own_program);
  }
  auto options = parse_host_arguments({arguments + 1, static_cast<std::size_t>(argument_count - 1)});
  if (!options) return 2;
  if (options->sandbox.layers == 0 && !options->sandbox.folder.empty()) leave_files_of_others(*options);
  if (const auto entered = enter_sandbox(options->sandbox); !entered) {
    std::fprintf(stderr, "certile: cannot enter the sandbox: %s\n", entered.error().what.c_str());
    return 4;
  }
  close_own_memory();
  if (options->are_of_worker()) return Host(*options).run();
  set_stack_of_threads();  // also for threads of a backend
  auto requests = SharedMemory::map(host_requests, options->layout.request_total(), false);
  auto replies = SharedMemory::map(host_replies, options->layout.reply_total(), true);
  if (!requests || !replies) return 3;
  written_files = &reinterpret_cast<ControlBlock*>(replies->bytes().data())->written;
  return Host(*options, open, *std::move(requests), *std::move(replies)).run();
}

}  // namespace certile::conformance
