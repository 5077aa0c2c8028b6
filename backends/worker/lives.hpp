#pragma once
#include <sys/types.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "reference/values/result.hpp"

namespace certile::backends {

// Closes the descriptor if it is open, and makes it -1.
void close_and_forget(int& descriptor) noexcept;

// A source of further processes of a worker without starting its program again: protocol.md, "Lives".  A
// worker gets one end of a socket; a worker that uses it becomes a fork server, and each life is a child of
// that.
class Lives {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  // Creates the socket.  Error io if the system refuses.
  static Result<std::unique_ptr<Lives>> create();
  ~Lives();
  Lives(const Lives&) = delete;
  Lives& operator=(const Lives&) = delete;

  // Returns the end for a worker that is being started; below 0 once there is a fork server.
  int offered() const noexcept { return offered_; }
  // Returns this side's end.
  int descriptor() const noexcept { return socket_; }
  // Returns the fork server, if this process knows it; 0: there is none.
  pid_t server() const noexcept { return server_; }
  // Records the fork server that another process with these descriptors found.
  void note_server(pid_t server) noexcept;

  // Returns the first life of a worker that was just started and has answered `hello`; nothing if it is no
  // fork server, which it would have announced before the answer.
  std::optional<pid_t> first();
  // Begins another life, with these as its standard input, output and error.  Returns nothing, and forgets
  // the fork server, if that has ended, refuses, or does not answer.
  std::optional<pid_t> begin(const std::array<int, 3>& streams, Deadline deadline);
  // Returns how a life ended, in waitpid's format; nothing if it has not ended by the deadline.
  std::optional<int> end_of(pid_t life, Deadline deadline);

 private:
  Lives(int socket, int offered) : socket_(socket), offered_(offered) {}

  // Reads a message of the fork server.  Returns false at the deadline, or if the server has ended.
  bool hear(Deadline deadline);
  bool ask(const std::string& question, const std::array<int, 3>& streams) noexcept;
  void lose_server() noexcept;

  int socket_, offered_;
  pid_t server_ = 0;
  std::string begun_as_, refused_;  // the words of the last life that began, and of the last one refused
  pid_t begun_ = 0;
  std::map<pid_t, int> ends_;
  unsigned questions_ = 0;
};

}  // namespace certile::backends
