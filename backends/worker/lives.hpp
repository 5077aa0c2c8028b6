#pragma once
#include <sys/types.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "reference/values/result.hpp"

namespace certile {

// A worker that can be had again without starting its program again: protocol.md, "Lives".  A worker is
// offered one end of a socket; one that takes it up turns into a fork server, and each life is a child of
// that.
class Lives {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  // Error io where the system refuses.
  static Result<std::unique_ptr<Lives>> create();
  ~Lives();
  Lives(const Lives&) = delete;
  Lives& operator=(const Lives&) = delete;

  // The end for a worker that is being started; below 0 once there is a fork server.
  int offered() const noexcept { return offered_; }
  // Our own end.
  int descriptor() const noexcept { return socket_; }
  // The fork server, as far as it is known here; 0: there is none.
  pid_t server() const noexcept { return server_; }
  // Takes note of the fork server that another process, which has these descriptors too, heard of.
  void note_server(pid_t server) noexcept;

  // The life that a worker which was just started began as; nothing where it is no fork server.  It has
  // answered `hello`, and whatever it has to say was said before that.
  std::optional<pid_t> first();
  // Has another one begin, with these as its standard input, output and error.  Nothing where the fork server
  // is gone, refuses, or does not answer; then there is none any more.
  std::optional<pid_t> begin(const std::array<int, 3>& streams, Deadline deadline);
  // How a life ended, as waitpid says it; nothing while it lasts, which is waited for until the deadline.
  std::optional<int> end_of(pid_t life, Deadline deadline);

 private:
  Lives(int socket, int offered) : socket_(socket), offered_(offered) {}

  // Hears what the fork server says; false where nothing comes until the deadline, or nothing any more.
  bool hear(Deadline deadline);
  bool ask(const std::string& question, const std::array<int, 3>& streams) noexcept;
  void lose_server() noexcept;

  int socket_, offered_;
  pid_t server_ = 0;
  std::string begun_as_, refused_;  // what the last life to begin was asked as, and the last that could not
  pid_t begun_ = 0;
  std::map<pid_t, int> ends_;
  unsigned questions_ = 0;
};

}  // namespace certile
