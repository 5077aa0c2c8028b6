#include "conformance/ask/process/kept_worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/emulator.hpp"
#include "conformance/ask/process/host_options.hpp"
#include "conformance/ask/process/spawn_host.hpp"
#include "conformance/ask/rig/closed_memory.hpp"

namespace certile::conformance {

bool KeptWorker::spare_fork_server() noexcept {
  constexpr int patience = 2'000;  // milliseconds
  const pid_t server = lives_ ? lives_->server() : 0;
  if (host_ == 0 || server <= 1 || kill(server, 0) != 0) return false;
  if (send(socket_, &server, sizeof server, MSG_NOSIGNAL) != sizeof server) return false;
  pollfd source{socket_, POLLIN, 0};
  char done = 0;
  return poll(&source, 1, patience) > 0 && recv(socket_, &done, sizeof done, MSG_DONTWAIT) == sizeof done;
}

void KeptWorker::clear() noexcept {
  if (!spare_fork_server()) end();
}

void KeptWorker::end() noexcept {
  lives_.reset();
  backends::close_and_forget(socket_);
  if (const pid_t host = std::exchange(host_, 0); host > 0) end_host(host);
}

Result<std::unique_ptr<backends::Process>> KeptWorker::start(const std::string& command) {
  clear();
  if (lives_)
    if (auto life = backends::Process::begin_life(*lives_)) return life;
  end();
  HostOptions options;
  options.spelling = command;
  options.layout = {0, 0};
  options.memory_limit = memory_limit_;
  if (sandbox_) {
    auto folder = PrivateFolder::create();
    if (!folder) return folder.error();
    folder_ = *std::move(folder);
    options.sandbox = {sandbox_->layers, folder_->path()};
  }
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{Error::Code::io,
                 std::string("cannot create a socket for the host of a worker: ") + std::strerror(errno)};
  socket_ = ends[0];
  // Above the numbers of a worker's descriptors.
  int of_host = fcntl(ends[1], F_DUPFD_CLOEXEC, backends::Process::socket_descriptor + 1);
  backends::close_and_forget(ends[1]);
  adopt_orphans();
  close_own_memory();
  std::vector<std::string> words = emulator_words();
  words.push_back(words.empty() ? program_ : path_behind_emulator(program_));
  for (std::string& word : host_arguments(options))
    words.push_back(std::move(word));
  // A fork server tells numbers of processes, which mean others inside of a sandbox than here; and what it
  // tells, this process kills.
  if (!sandbox_)
    if (auto lives = backends::Lives::create()) lives_ = *std::move(lives);
  auto process = backends::Process::start(std::move(words), lives_.get(), of_host);
  backends::close_and_forget(of_host);
  if (process) host_ = (*process)->id();
  return process;
}

}  // namespace certile::conformance
