#include "backends/worker/lives.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <utility>

namespace certile::backends {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t longest_message = 256;
constexpr std::size_t ends_kept = 64;

}  // namespace

void close_and_forget(int& descriptor) noexcept {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

Result<std::unique_ptr<Lives>> Lives::create() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{Error::Code::io,
                 std::string("cannot create a socket for a worker's lives: ") + std::strerror(errno)};
  return std::unique_ptr<Lives>(new Lives(ends[0], ends[1]));
}

Lives::~Lives() {
  close_and_forget(socket_);
  close_and_forget(offered_);
}

void Lives::note_server(pid_t server) noexcept {
  server_ = server;
  close_and_forget(offered_);  // so that the fork server sees the end
}

void Lives::lose_server() noexcept {
  server_ = 0;
  close_and_forget(socket_);
}

bool Lives::hear(Deadline deadline) {
  if (socket_ < 0) return false;
  const auto left = std::max(deadline - Clock::now(), Clock::duration::zero());
  pollfd source{socket_, POLLIN, 0};
  const auto patience = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  if (poll(&source, 1, static_cast<int>(patience)) <= 0) return false;
  std::array<char, longest_message> buffer;
  const ssize_t got = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (got <= 0) {
    lose_server();
    return false;
  }
  std::istringstream words(std::string(buffer.data(), static_cast<std::size_t>(got)));
  std::string what, token;
  pid_t process = 0;
  int status = 0;
  words >> what;
  if (what == "server" && words >> process && process > 1) note_server(process);
  if (what == "life" && words >> token >> process && process > 1) {
    begun_as_ = token;
    begun_ = process;
    ends_.erase(process);  // of an earlier process with that number
  }
  if (what == "none" && words >> token) refused_ = token;
  if (what == "end" && words >> process >> status) {
    if (ends_.size() >= ends_kept) ends_.clear();
    ends_[process] = status;
  }
  return true;
}

std::optional<pid_t> Lives::first() {
  while (hear(Clock::now())) {
  }
  return server_ != 0 && begun_as_ == "first" ? std::optional(begun_) : std::nullopt;
}

bool Lives::ask(const std::string& question, const std::array<int, 3>& streams) noexcept {
  iovec text{const_cast<char*>(question.data()), question.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof streams)> attached{};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = attached.data();
  message.msg_controllen = attached.size();
  cmsghdr* rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof streams);
  std::memcpy(CMSG_DATA(rights), streams.data(), sizeof streams);
  return sendmsg(socket_, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(question.size());
}

std::optional<pid_t> Lives::begin(const std::array<int, 3>& streams, Deadline deadline) {
  // Answers to another process, which asked and did not wait, have another word.
  const std::string token = std::to_string(getpid()) + "-" + std::to_string(++questions_);
  if (server_ != 0 && ask("life " + token, streams)) {
    while (begun_as_ != token && refused_ != token && Clock::now() < deadline && socket_ >= 0)
      hear(deadline);
    if (begun_as_ == token) return begun_;
  }
  lose_server();
  return std::nullopt;
}

std::optional<int> Lives::end_of(pid_t life, Deadline deadline) {
  while (!ends_.contains(life) && hear(deadline)) {
  }
  if (const auto found = ends_.find(life); found != ends_.end()) return found->second;
  // No process is left that could say how the life ended.
  return socket_ < 0 ? std::optional(SIGKILL) : std::nullopt;
}

}  // namespace certile::backends
