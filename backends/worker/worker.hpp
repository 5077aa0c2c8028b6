#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/worker/calls.hpp"
#include "backends/worker/message.hpp"
#include "backends/worker/process.hpp"
#include "reference/values/result.hpp"

namespace certile::backends {

// A dialogue with one worker: greets it, asks, and restarts it after its end.
class Worker {
 public:
  using Clock = Process::Clock;
  using Starter = std::function<Result<std::unique_ptr<Process>>(const std::string& command)>;

  // Makes `starter` start the command's process.  `stop` is called while waiting: true ends the wait like a
  // deadline.
  Worker(std::string command, Starter starter, std::function<bool()> stop = {})
      : command_(std::move(command)), starter_(std::move(starter)), stop_(std::move(stop)) {}
  ~Worker() { end(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts the worker if it does not run, and greets it.  Errors: io, after three failed starts in a row, one
  // that takes too long, or a claim that differs from its earlier one.
  Result<Done> start();
  bool is_running() const noexcept { return process_ != nullptr; }
  // Sends `bye`, and kills the worker if it does not end by itself.
  void end();
  // Returns the claim of the last start.
  const Claim& claim() const noexcept { return claim_; }

  // The reason for a missing answer.
  enum class Lost {
    nothing,
    ended,       // the process has ended; `wait_status` says how
    late,        // no answer in time
    unreadable,  // the reply is not an answer to this message
  };

  // Sends one message and returns its answer, if the worker runs.  Errors: backend_failed; the worker then
  // does not run any more, and `lost` gives the reason.
  Result<Message> ask(MessageWriter message, Clock::time_point deadline);

  // Queues a message without waiting for its answer; it may be sent later and with others.
  void post(MessageWriter message);
  // Sends as much of the queue as possible.
  void push();
  // Returns the next answer, in the order of the messages; nothing if there is none by `until`.  Errors as of
  // `ask`, after which every message without an answer is lost.
  std::optional<Result<Message>> hear(Clock::time_point until);
  // Returns the next answer if it has arrived.
  std::optional<Result<Message>> heard();
  // Ends the worker, because it is late.
  Error give_up();

  Lost lost() const noexcept { return lost_; }
  std::optional<int> wait_status() const noexcept { return wait_status_; }
  // Returns the beginning and the end of the last process's standard error.
  std::string diagnostics() const { return process_ ? process_->diagnostics() : last_words_; }
  const std::string& command() const noexcept { return command_; }

 private:
  Result<Done> start_once(Clock::time_point deadline);
  // Reads the inbox: returns the answer if it is whole; else sets `needed` to the bytes that it takes.
  std::optional<Result<Message>> read_answer();
  std::span<const std::byte> unsent() const noexcept { return std::span(said_.outgoing).subspan(said_.sent); }
  void note_sent(std::span<const std::byte> unsent) noexcept;
  Error lose(Lost why, std::string sentence);

  std::string command_;
  Starter starter_;
  std::function<bool()> stop_;
  std::unique_ptr<Process> process_;
  Claim claim_;
  std::uint64_t sequence_ = 0;
  // The number of a message without an answer, and the bytes of tensors that a right answer may have.
  struct Awaited {
    std::uint64_t sequence;
    std::size_t most;
  };
  // The messages to and from the running process.
  struct Dialogue {
    std::deque<Awaited> awaited;
    std::vector<std::byte> outgoing;
    std::size_t sent = 0;           // of `outgoing`
    std::optional<Message> coming;  // the answer whose header has arrived
    std::size_t needed = 0;         // bytes of the inbox
    bool has_excess = false;        // the worker sent more than it was asked for
  } said_;
  Lost lost_ = Lost::nothing;
  std::optional<int> wait_status_;
  std::string last_words_;
};

}  // namespace certile::backends
