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

#include "backends/worker/hello.hpp"
#include "backends/worker/message.hpp"
#include "backends/worker/process.hpp"
#include "reference/values/result.hpp"

namespace certile {

// The dialogue with one worker: greets it, asks, and starts it anew after its end.
class Worker {
 public:
  using Clock = Process::Clock;
  using Starter = std::function<Result<std::unique_ptr<Process>>(const std::string& command)>;

  // `starter` starts the command's process.  `stop` is asked while waiting: true gives up, as if it were
  // late.
  Worker(std::string command, Starter starter, std::function<bool()> stop = {})
      : command_(std::move(command)), starter_(std::move(starter)), stop_(std::move(stop)) {}
  // The same with Process::start.
  explicit Worker(std::string command, Process::Diagnostics diagnostics = Process::Diagnostics::kept,
                  Lives* lives = nullptr, std::function<bool()> stop = {});
  ~Worker() { end(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts it where it does not run, and greets it.  Errors: io, after three failed starts in a row, one that
  // takes too long, or a claim that is not the one it made before.
  Result<Done> start();
  bool is_running() const noexcept { return process_ != nullptr; }
  // Says `bye`, and ends it where it does not end by itself.
  void end();
  // Of the last start.
  const Hello& hello() const noexcept { return hello_; }

  // Why there is no answer.
  enum class Lost {
    nothing,
    ended,       // the process did; `wait_status` says how
    late,        // no answer in time
    unreadable,  // what came is no answer to this message
  };

  // One message there, one back, from a worker that runs.  Errors: backend_failed; the worker does not run
  // any more, and `lost` says why.
  Result<Message> ask(MessageWriter message, Clock::time_point deadline);

  // Sends a message without waiting for its answer, perhaps later and with others.
  void post(MessageWriter message);
  // The same of the message before, with another number.  False where it has to be posted as another one.
  bool post_again();
  // Sends of that what gets through.
  void push();
  // An answer, valid until the next one.
  struct Answer {
    const Message* message;
    bool is_repeated;  // it is the answer before, but for the number
  };
  // Returns the next answer, in the order of the messages; nothing where none comes until then.  Errors as of
  // `ask`; every message that is not answered then is lost.
  std::optional<Result<Answer>> hear(Clock::time_point until);
  // Returns the next answer where it has come already.
  std::optional<Result<Answer>> heard();
  // Ends the worker, because it is late.
  Error give_up();

  Lost lost() const noexcept { return lost_; }
  std::optional<int> wait_status() const noexcept { return wait_status_; }
  // The end of what the last process wrote to standard error, where it is kept.
  std::string diagnostics() const { return process_ ? process_->diagnostics() : last_words_; }
  const std::string& command() const noexcept { return command_; }

 private:
  Result<Done> start_once(Clock::time_point deadline);
  Result<Message> wait_for_answer(Clock::time_point deadline);
  // Looks at what came: the answer, where it is whole; else `needed_` is how many bytes that takes.
  std::optional<Result<Answer>> read_answer();
  bool takes_repeated_answer();
  Result<Answer> checked();
  std::span<const std::byte> unsent() const noexcept { return std::span(outgoing_).subspan(sent_); }
  void note_sent(std::span<const std::byte> unsent) noexcept;
  Error lose(Lost why, std::string sentence);

  std::string command_;
  Starter starter_;
  std::function<bool()> stop_;
  std::unique_ptr<Process> process_;
  Hello hello_;
  std::uint64_t sequence_ = 0;
  std::deque<std::uint64_t> awaited_;  // the sequence numbers of the messages that are not answered
  std::vector<std::byte> outgoing_, last_message_;
  std::size_t sent_ = 0;                // of `outgoing_`
  std::optional<Message> coming_;       // the answer whose header has come
  Message answer_;                      // the last one
  std::vector<std::byte> last_answer_;  // its bytes, where they are few
  std::size_t number_at_ = 0;           // in these: where its number begins; 0: they cannot be compared
  std::size_t needed_ = 0;              // bytes of the inbox
  bool has_excess_ = false;             // something came that was not asked for
  Lost lost_ = Lost::nothing;
  std::optional<int> wait_status_;
  std::string last_words_;
};

}  // namespace certile
