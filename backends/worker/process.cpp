#include "backends/worker/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace certile::backends {
namespace {

constexpr int lives_descriptor = STDERR_FILENO + 1;  // where a worker finds the offered socket
constexpr auto pause_between_checks = std::chrono::milliseconds(50);  // between two checks for the end
constexpr int most_pieces_left = 16;  // in a pipe whose process has ended, because another may write to it
constexpr std::size_t piece = std::size_t{1} << 18;           // read at once, in bytes
constexpr std::size_t forgotten_from = std::size_t{1} << 20;  // taken bytes that the inbox may keep

// The two ends of a pipe, both closed on exec.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  bool open() { return pipe2(ends.data(), O_CLOEXEC) == 0; }
  int take(std::size_t end) { return std::exchange(ends[end], -1); }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
};

// A guard that blocks SIGPIPE: writing to an ended process must not end this one.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutSigpipe() {
    const timespec at_once{};
    if (broken_) sigtimedwait(&pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;
  void note_broken() { broken_ = true; }

 private:
  sigset_t pipe_{}, before_{};
  bool broken_ = false;
};

// The environment of a command, with the socket that is offered to it, and without the one offered to this
// process.
class Environment {
 public:
  explicit Environment(const Lives* lives) {
    for (char** variable = environ; *variable != nullptr; ++variable)
      if (!std::string_view(*variable).starts_with(lives_variable)) pointers_.push_back(*variable);
    if (lives != nullptr) pointers_.push_back(offer_.data());
    pointers_.push_back(nullptr);
  }
  char** get() { return pointers_.data(); }

 private:
  static constexpr std::string_view lives_variable = "CERTILE_LIVES=";
  std::string offer_ = std::string(lives_variable) + std::to_string(lives_descriptor);
  std::vector<char*> pointers_;
};

constexpr auto life_limit = std::chrono::seconds(10);  // for a fork server to fork
constexpr auto death_limit = std::chrono::seconds(2);  // for a life that was killed

}  // namespace

struct Process::Streams {
  bool open() {
    if (!input.open() || !output.open() || !errors.open()) return false;
    // Large enough for neither side to wait without need; smaller if the system refuses.
    for (const int size : {1 << 20, 1 << 18})
      if (fcntl(input.ends[1], F_SETPIPE_SZ, size) >= 0 && fcntl(output.ends[0], F_SETPIPE_SZ, size) >= 0)
        break;
    return true;
  }
  std::array<int, 3> theirs() const { return {input.ends[0], output.ends[1], errors.ends[1]}; }

  Pipe input, output, errors;
};

std::unique_ptr<Process> Process::made(pid_t id, Streams& streams, Lives* lives, bool is_life) {
  const int input = streams.input.take(1), output = streams.output.take(0), errors = streams.errors.take(0);
  for (const int ours : {input, output, errors})
    if (ours >= 0) fcntl(ours, F_SETFL, O_NONBLOCK);
  std::unique_ptr<Process> process(new Process(id, input, output, errors, lives));
  process->is_life_ = is_life;
  return process;
}

std::unique_ptr<Process> Process::begin_life(Lives& lives) {
  Streams streams;
  if (!streams.open()) return nullptr;
  const auto life = lives.begin(streams.theirs(), Clock::now() + life_limit);
  return life ? made(*life, streams, &lives, true) : nullptr;
}

Result<std::unique_ptr<Process>> Process::start(std::vector<std::string> words, Lives* lives, int socket) {
  const auto refused = [&words](int reason) {
    return Error{Error::Code::io, "cannot start '" + words.back() + "': " + std::strerror(reason)};
  };
  Streams streams;
  if (!streams.open()) return refused(errno);
  if (lives != nullptr && lives->server() != 0)
    if (auto life = begin_life(*lives)) return life;
  if (lives != nullptr && lives->offered() < 0) lives = nullptr;  // the fork server of these lives has ended

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, streams.theirs()[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, streams.theirs()[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, streams.theirs()[2], STDERR_FILENO);
  if (lives != nullptr) posix_spawn_file_actions_adddup2(&actions, lives->offered(), lives_descriptor);
  if (socket >= 0) posix_spawn_file_actions_adddup2(&actions, socket, socket_descriptor);
  if (lives == nullptr) posix_spawn_file_actions_addclose(&actions, lives_descriptor);
  posix_spawn_file_actions_addclosefrom_np(&actions, socket_descriptor + (socket >= 0 ? 1 : 0));

  // A separate group, so that the command's processes end with it; no signal is blocked or ignored in it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, usual;
  sigemptyset(&none);
  sigfillset(&usual);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  Environment environment(lives);
  pid_t id = -1;
  const int failed =
      posix_spawnp(&id, pointers[0], &actions, &attributes, pointers.data(), environment.get());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return refused(failed);
  return made(id, streams, lives, false);
}

void Process::find_life() {
  if (lives_ == nullptr || is_life_) return;
  const auto life = lives_->first();
  if (!life) return;
  id_ = *life;
  is_life_ = true;
}

Process::~Process() {
  kill();
  close_and_forget(input_);
  close_and_forget(output_);
  close_and_forget(errors_);
}

Process::Exchange Process::send(std::span<const std::byte>& bytes, Deadline deadline) {
  while (!bytes.empty()) {
    write_some(bytes);
    if (bytes.empty()) break;
    if (input_ < 0) return Exchange::ended;
    if (!move_bytes(bytes, deadline)) return wait_status() ? Exchange::ended : Exchange::late;
  }
  return Exchange::done;
}

Process::Exchange Process::receive(std::size_t bytes, Deadline deadline, std::span<const std::byte>& unsent) {
  while (inbox().size() < bytes) {
    if (output_ < 0) return Exchange::ended;
    if (!move_bytes(unsent, deadline)) return wait_status() ? Exchange::ended : Exchange::late;
  }
  return Exchange::done;
}

Process::Exchange Process::receive(std::size_t bytes, Deadline deadline) {
  std::span<const std::byte> nothing;
  return receive(bytes, deadline, nothing);
}

std::vector<std::byte> Process::take(std::size_t bytes) {
  const auto first = inbox_.begin() + static_cast<std::ptrdiff_t>(taken_);
  std::vector<std::byte> taken(first, first + static_cast<std::ptrdiff_t>(bytes));
  drop(bytes);
  return taken;
}

void Process::drop(std::size_t bytes) {
  taken_ += bytes;
  if (taken_ == inbox_.size() || taken_ >= forgotten_from) {
    inbox_.erase(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(taken_));
    taken_ = 0;
  }
}

void Process::look(std::span<const std::byte>& unsent) {
  write_some(unsent);
  static_cast<void>(read_output());
  read_errors();
}

bool Process::move_bytes(std::span<const std::byte>& unsent, Deadline until) {
  const auto now = Clock::now();
  if (now >= until) return false;
  const auto patience = std::min<Clock::duration>(until - now, pause_between_checks);
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
  std::array<pollfd, 3> sources{
      {{output_, POLLIN, 0}, {errors_, POLLIN, 0}, {unsent.empty() ? -1 : input_, POLLOUT, 0}}};
  const int ready = poll(sources.data(), sources.size(), static_cast<int>(milliseconds));
  if (sources[1].revents != 0) read_errors();
  if (sources[2].revents != 0) write_some(unsent);
  const bool heard = sources[0].revents != 0 && read_output();
  // Another process may hold the command's pipes open, so its own end counts.
  if (ready == 0 && !heard && wait_status()) {
    for (int piece_left = most_pieces_left; piece_left > 0 && read_output(); --piece_left) {
    }
    close_and_forget(output_);
    close_and_forget(input_);
  }
  return true;
}

void Process::write_some(std::span<const std::byte>& unsent) {
  if (input_ < 0) return;
  WithoutSigpipe guard;
  while (!unsent.empty()) {
    const ssize_t sent = write(input_, unsent.data(), unsent.size());
    if (sent > 0) {
      unsent = unsent.subspan(static_cast<std::size_t>(sent));
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return;
    if (errno == EPIPE) guard.note_broken();
    close_and_forget(input_);
    return;
  }
}

// Reads standard output and returns true if there was any.
bool Process::read_output() {
  if (output_ < 0) return false;
  buffer_.resize(piece);
  const ssize_t got = read(output_, buffer_.data(), buffer_.size());
  if (got > 0) inbox_.insert(inbox_.end(), buffer_.begin(), buffer_.begin() + got);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) close_and_forget(output_);
  return got > 0;
}

void Process::read_errors() {
  std::array<char, 4096> buffer;
  while (errors_ >= 0) {
    const ssize_t got = read(errors_, buffer.data(), buffer.size());
    if (got > 0) {
      errors_printed_.append({buffer.data(), static_cast<std::size_t>(got)});
      continue;
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) close_and_forget(errors_);
    return;
  }
}

std::optional<int> Process::wait_status() {
  if (status_) return status_;
  status_ = end_so_far();
  if (status_) {
    reap_group();
    read_errors();
  }
  return status_;
}

std::optional<int> Process::end_so_far() {
  if (is_life_) return lives_->end_of(id_, Clock::now());
  int status = 0;
  return waitpid(id_, &status, WNOHANG) == id_ ? std::optional(status) : std::nullopt;
}

// Ends the processes that the command left in its group.
void Process::reap_group() noexcept {
  ::kill(-id_, SIGKILL);
}

int Process::close(Deadline deadline) {
  close_and_forget(input_);
  std::span<const std::byte> nothing;
  while (!wait_status() && Clock::now() < deadline) {
    if (output_ >= 0 || errors_ >= 0)
      move_bytes(nothing, std::min(deadline, Clock::now() + std::chrono::milliseconds(5)));
    else
      usleep(200);
    inbox_.clear();
    taken_ = 0;
  }
  return kill();
}

int Process::kill() {
  if (!status_) {
    ::kill(-id_, SIGKILL);
    int status = SIGKILL;
    if (is_life_)
      status = lives_->end_of(id_, Clock::now() + death_limit).value_or(status);
    else
      while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
      }
    status_ = status;
    read_errors();
  }
  return *status_;
}

int meant_by_shell(int wait_status) {
  constexpr int signals_from = 128, signals = 64;
  if (!WIFEXITED(wait_status)) return wait_status;
  const int number = WEXITSTATUS(wait_status) - signals_from;
  return number > 0 && number <= signals ? number : wait_status;
}

std::string end_words(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return "exit code " + std::to_string(WEXITSTATUS(wait_status));
  const int signal = WTERMSIG(wait_status);
  return "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

}  // namespace certile::backends
