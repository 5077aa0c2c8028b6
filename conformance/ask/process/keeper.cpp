#include "conformance/ask/process/keeper.hpp"

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
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "backends/worker/process.hpp"
#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/emulator.hpp"
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

namespace {

constexpr int keeper_patience = 2'000;  // milliseconds for a keeper's answer

void close_and_forget(int& descriptor) noexcept {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

// Waits for the keeper's end, also if it was waited for before; returns false if it does not end in time.
bool has_ended_in_time(pid_t keeper) noexcept {
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    const pid_t found = waitpid(keeper, nullptr, WNOHANG);
    if (found == keeper || (found < 0 && errno == ECHILD)) return true;
    if (std::chrono::steady_clock::now() - start > std::chrono::milliseconds(keeper_patience)) return false;
    usleep(200);
  }
}

}  // namespace

Result<std::unique_ptr<Keeper>> Keeper::create(const std::string& program, std::uint64_t memory_limit,
                                               const Sandbox& sandbox) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{Error::Code::io,
                 std::string("cannot create a socket for a worker's keeper: ") + std::strerror(errno)};
  adopt_orphans();
  close_own_memory();
  backends::Process::Keeper how;
  how.words = emulator_words();
  how.words.push_back(how.words.empty() ? program : path_behind_emulator(program));
  for (std::string& word : keep_arguments(memory_limit, sandbox))
    how.words.push_back(std::move(word));
  // Above the numbers of a worker's descriptors.
  how.descriptor = fcntl(ends[1], F_DUPFD_CLOEXEC, backends::Process::keeper_descriptor + 1);
  close(ends[1]);
  return std::unique_ptr<Keeper>(new Keeper(std::move(how), ends[0]));
}

Keeper::~Keeper() {
  close_and_forget(socket_);
  close_and_forget(how_.descriptor);
  if (keeper_ == 0) return;
  if (!has_ended_in_time(keeper_)) {
    end_descendants_of(keeper_);
    kill(keeper_, SIGKILL);
    waitpid(keeper_, nullptr, 0);
  }
  end_orphans();  // of a keeper that could not end them all
}

void Keeper::note(pid_t keeper) noexcept {
  keeper_ = keeper;
  close_and_forget(how_.descriptor);  // ends the keeper's side of the socket
}

bool Keeper::spare(pid_t server) noexcept {
  if (send(socket_, &server, sizeof server, MSG_NOSIGNAL) != sizeof server) return false;
  pollfd source{socket_, POLLIN, 0};
  if (poll(&source, 1, keeper_patience) <= 0) return false;
  char done = 0;
  return recv(socket_, &done, sizeof done, MSG_DONTWAIT) == sizeof done;
}

void KeptWorker::clear() noexcept {
  if (!keeper_) return;
  const pid_t server = lives_ ? lives_->server() : 0;
  if (server > 1 && kill(server, 0) == 0 && keeper_->spare(server)) return;
  keeper_.reset();
  lives_.reset();
}

Result<std::unique_ptr<backends::Process>> KeptWorker::start(const std::string& command) {
  clear();
  if (keeper_ && lives_)
    if (auto life = backends::Process::begin_life(*lives_)) return life;
  keeper_.reset();
  lives_.reset();
  Sandbox sandbox;
  if (sandbox_) {
    if (auto folder = PrivateFolder::create(); folder)
      folder_ = *std::move(folder);
    else
      return folder.error();
    sandbox = {sandbox_->layers, folder_->path()};
  }
  auto keeper = Keeper::create(program_, memory_limit_, sandbox);
  if (!keeper) return keeper.error();
  keeper_ = *std::move(keeper);
  // A fork server tells numbers of processes, which mean others inside of a sandbox than here; and what it
  // tells, this process kills.
  if (!sandbox_)
    if (auto lives = backends::Lives::create()) lives_ = *std::move(lives);
  auto process = backends::Process::start(command, lives_.get(), keeper_->how());
  if (process) keeper_->note((*process)->id());
  return process;
}

}  // namespace certile::conformance
