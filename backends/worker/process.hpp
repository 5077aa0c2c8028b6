#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/worker/lives.hpp"
#include "reference/values/result.hpp"

namespace certile {

// A command under /bin/sh -c with pipes to its standard input and output, in a process group of its own.
// Nothing here waits longer than it is told, and no process is left behind.
class Process {
 public:
  using Clock = std::chrono::steady_clock;
  using Deadline = Clock::time_point;

  // What becomes of its standard error: the end of it is kept here, or it goes where ours goes.
  enum class Diagnostics { kept, passed_on };

  // A program that runs the command in place of /bin/sh: started with these words and the command behind
  // them. It finds `descriptor` under the number `keeper_descriptor`, starts the shell with the streams that
  // it has itself, and ends as the shell does.
  struct Keeper {
    std::vector<std::string> words;  // the program first
    int descriptor = -1;
  };
  static constexpr int keeper_descriptor = 4;

  // Error io where the system refuses.  A command that does not exist starts: the shell says so and ends.
  // `lives`, where there are any, outlives the process: what is started is another life of the command where
  // it can be had, else the command, which is offered to become a fork server.
  static Result<std::unique_ptr<Process>> start(const std::string& command, Diagnostics diagnostics,
                                                Lives* lives = nullptr, const Keeper* keeper = nullptr);
  // Begins another life of the command that `lives` are of; null where there is no fork server any more.
  static std::unique_ptr<Process> begin_life(Diagnostics diagnostics, Lives& lives);
  // Ends the group.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  enum class Exchange { done, ended, late };

  // The process that was started, or the life that it began as.
  pid_t id() const noexcept { return id_; }
  bool is_life() const noexcept { return is_life_; }

  // Takes note of whether the command that was started has become a fork server: then this is its first life.
  // It has said something, so it has decided.
  void find_life();

  // Hands these bytes to its standard input, and leaves those that did not get through; what it says
  // meanwhile is kept.
  Exchange send(std::span<const std::byte>& bytes, Deadline deadline);
  // Waits until `inbox` holds at least so many bytes; sends meanwhile what gets through.
  Exchange receive(std::size_t bytes, Deadline deadline, std::span<const std::byte>& unsent);
  Exchange receive(std::size_t bytes, Deadline deadline);
  // Takes what came, and sends what gets through, without waiting.
  void look(std::span<const std::byte>& unsent);
  // What came from its standard output and was not taken.
  std::span<const std::byte> inbox() const noexcept { return std::span(inbox_).subspan(taken_); }
  // The first so many bytes of it.
  std::vector<std::byte> take(std::size_t bytes);
  // Forgets them; what `inbox` gave before is no longer valid.
  void drop(std::size_t bytes);

  // Closes its standard input and waits for its end, with force at the deadline.  How it ended, as waitpid
  // says it.
  int close(Deadline deadline);
  // Ends the group at once.
  int kill();
  // How it ended; nothing while it runs.
  std::optional<int> wait_status();

  // The last 8 KiB that it wrote to standard error, where they are kept.
  const std::string& diagnostics() const noexcept { return diagnostics_; }

 private:
  Process(pid_t id, int input, int output, int errors, Lives* lives)
      : id_(id), input_(input), output_(output), errors_(errors), lives_(lives) {}

  // The ends that the process is given, and ours.
  struct Streams;
  static std::unique_ptr<Process> made(pid_t id, Streams& streams, Lives* lives, bool is_life);

  // Moves bytes in all directions until one side can, or `until`; false at the deadline.
  bool move_bytes(std::span<const std::byte>& unsent, Deadline until);
  void write_some(std::span<const std::byte>& unsent);
  bool read_output();
  void read_errors();
  void reap_group() noexcept;
  std::optional<int> end_so_far();

  pid_t id_;
  int input_, output_, errors_;  // our ends of its standard streams; -1 once closed
  Lives* lives_;                 // null: there are none
  bool is_life_ = false;         // the process is the child of a fork server, not ours
  std::optional<int> status_;
  std::vector<std::byte> inbox_, buffer_;
  std::size_t taken_ = 0;
  std::string diagnostics_;
};

// The end that a shell means with an exit code above 128: that its command ended by a signal.
int meant_by_shell(int wait_status);

// "exit code 3", "signal 11 (Segmentation fault)": what waitpid says, in words.
std::string end_words(int wait_status);

}  // namespace certile
