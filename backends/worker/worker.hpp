#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backends/worker/hello.hpp"
#include "backends/worker/message.hpp"
#include "backends/worker/process.hpp"
#include "reference/values/result.hpp"

namespace certile {

// The dialogue with one worker: greets it, asks, and starts it anew after its end.
class Worker {
 public:
  using Clock = Process::Clock;

  // `lives`: as for Process::start.  `stop` is asked while waiting: true gives up, as if it were late.
  explicit Worker(std::string command, Process::Diagnostics diagnostics = Process::Diagnostics::kept,
                  Lives* lives = nullptr, std::function<bool()> stop = {})
      : command_(std::move(command)), diagnostics_(diagnostics), lives_(lives), stop_(std::move(stop)) {}
  // Says `bye`, and ends it where it does not end by itself.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts it where it does not run, and greets it; `alive` is called now and then meanwhile.  Errors: io,
  // after three failed starts in a row, one that takes too long, or a claim that is not the one it made
  // before.
  Result<Done> start(const std::function<void()>& alive = {});
  bool is_running() const noexcept { return process_ != nullptr; }
  // Whether the process that runs has answered anything since it was greeted.
  bool has_answered() const noexcept { return process_ != nullptr && has_answered_; }
  // Of the last start.
  const Hello& hello() const noexcept { return hello_; }

  // Why there is no answer.
  enum class Lost {
    nothing,
    ended,       // the process did; `wait_status` says how
    late,        // no answer in time
    unreadable,  // what came is no answer to this message
  };

  // One message there, one back, from a worker that runs.  `alive` is called now and then while waiting.
  // Errors: backend_failed; the worker does not run any more, and `lost` says why.
  Result<Message> ask(MessageWriter message, Clock::time_point deadline,
                      const std::function<void()>& alive = {});
  Lost lost() const noexcept { return lost_; }
  std::optional<int> wait_status() const noexcept { return wait_status_; }
  // The end of what the last process wrote to standard error, where it is kept.
  std::string diagnostics() const { return process_ ? process_->diagnostics() : last_words_; }
  const std::string& command() const noexcept { return command_; }

 private:
  Result<Done> start_once(Clock::time_point deadline, const std::function<void()>& alive);
  Result<Message> exchange(const std::vector<std::byte>& bytes, Clock::time_point deadline,
                           const std::function<void()>& alive);
  Error lose(Lost why, std::string sentence);

  std::string command_;
  Process::Diagnostics diagnostics_;
  Lives* lives_;
  std::function<bool()> stop_;
  std::unique_ptr<Process> process_;
  Hello hello_;
  bool has_answered_ = false;
  std::uint64_t sequence_ = 0;
  Lost lost_ = Lost::nothing;
  std::optional<int> wait_status_;
  std::string last_words_;
};

}  // namespace certile
