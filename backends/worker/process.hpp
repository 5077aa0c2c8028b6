#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/plugin/captured_output.hpp"
#include "backends/worker/lives.hpp"
#include "reference/values/result.hpp"

namespace certile::backends {

// A program with pipes to its standard streams, in a separate process group.  No function waits past its
// deadline, and no process is left behind.
class Process {
 public:
  using Clock = std::chrono::steady_clock;
  using Deadline = Clock::time_point;

  // The number under which the program finds `socket`.
  static constexpr int socket_descriptor = 4;
  // Starts the program `words.front()`, which gets `socket` unless that is below 0.  Error io if the system
  // refuses.  `lives`, if any, must outlive the process: if possible another life of the program begins, else
  // it starts, with an offer to become a fork server.
  static Result<std::unique_ptr<Process>> start(std::vector<std::string> words, Lives* lives = nullptr,
                                                int socket = -1);
  // Begins another life of the program of `lives`; returns null if there is no fork server any more.
  static std::unique_ptr<Process> begin_life(Lives& lives);
  // Ends the group.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  enum class Exchange { done, ended, late };

  // Returns the number of the started process, or of the life as which it began.
  pid_t id() const noexcept { return id_; }
  bool is_life() const noexcept { return is_life_; }

  // Records whether the program, which has said something, has become a fork server: then this is its first
  // life.
  void find_life();

  // Sends the bytes to the process, keeps output that arrives meanwhile, and leaves unsent bytes in `bytes`.
  Exchange send(std::span<const std::byte>& bytes, Deadline deadline);
  // Waits until `inbox` holds at least `bytes` bytes, and meanwhile sends as many as possible.
  Exchange receive(std::size_t bytes, Deadline deadline, std::span<const std::byte>& unsent);
  Exchange receive(std::size_t bytes, Deadline deadline);
  // Receives and sends as many bytes as possible without waiting.
  void look(std::span<const std::byte>& unsent);
  // Returns the bytes from standard output that were not taken.
  std::span<const std::byte> inbox() const noexcept { return std::span(inbox_).subspan(taken_); }
  // Takes the first `bytes` bytes of the inbox.
  std::vector<std::byte> take(std::size_t bytes);
  // Drops the first `bytes` bytes of the inbox, whose earlier spans become invalid.
  void drop(std::size_t bytes);

  // Closes the process's standard input and waits for the end, which is forced at the deadline.  Returns the
  // end in waitpid's format.
  int close(Deadline deadline);
  // Kills the group at once.
  int kill();
  // Returns the end in waitpid's format; nothing while the process runs.
  std::optional<int> wait_status();

  // Returns the beginning and the end of standard error, 8 KiB in all.
  std::string diagnostics() const { return errors_printed_.text(); }

 private:
  Process(pid_t id, int input, int output, int errors, Lives* lives)
      : id_(id), input_(input), output_(output), errors_(errors), lives_(lives) {}

  // The process's ends of its streams, and this side's.
  struct Streams;
  static std::unique_ptr<Process> made(pid_t id, Streams& streams, Lives* lives, bool is_life);

  // Moves bytes in all directions until a stream is ready, or `until`; returns false at the deadline.
  bool move_bytes(std::span<const std::byte>& unsent, Deadline until);
  void write_some(std::span<const std::byte>& unsent);
  bool read_output();
  void read_errors();
  void reap_group() noexcept;
  std::optional<int> end_so_far();

  pid_t id_;
  int input_, output_, errors_;  // this side's ends of the standard streams; -1 once closed
  Lives* lives_;                 // null: there are none
  bool is_life_ = false;         // a child of a fork server, not of this process
  std::optional<int> status_;
  std::vector<std::byte> inbox_, buffer_;
  std::size_t taken_ = 0;
  CapturedOutput errors_printed_;
};

// Returns the signal that a shell's exit code above 128 stands for, in waitpid's format; else the same
// status.
int meant_by_shell(int wait_status);

// Returns "exit code 3", "signal 11 (Segmentation fault)" for a status from waitpid.
std::string end_words(int wait_status);

}  // namespace certile::backends
