#include "conformance/ask/process/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include "conformance/ask/process/descendants.hpp"
#include "conformance/ask/process/emulator.hpp"
#include "conformance/ask/process/keep.hpp"
#include "conformance/ask/rig/closed_memory.hpp"

namespace certile::conformance {
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

}  // namespace certile::conformance
