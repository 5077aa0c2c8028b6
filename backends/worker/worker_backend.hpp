#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "backends/plugin/remote_backend.hpp"
#include "backends/worker/message.hpp"
#include "backends/worker/worker.hpp"
#include "reference/values/result.hpp"

namespace certile {

// How a worker's calls are made.
struct WorkerOptions {
  Process::Diagnostics diagnostics = Process::Diagnostics::kept;
  // For one call, and for all of a batch.  Whoever watches over the process itself needs no limit for a call.
  std::optional<std::chrono::milliseconds> call_limit;
  std::size_t together = 1;         // calls in the first batch; later ones are as large as they are quick
  Lives* lives = nullptr;           // as for Process::start
  std::function<bool()> stop = {};  // asked while waiting: true gives up the answer
};

// A worker as a backend: protocol.md beside this file says what the two say to each other.  A call during
// which the worker ends, or says what is no answer, is backend_failed; `ended` tells the first from the
// second.  A call after that starts a new one, but not while it is the turn of the upcoming call on which the
// worker ended.
class WorkerBackend final : public RemoteBackend {
 public:
  // Errors as Worker::start's.
  static Result<std::unique_ptr<WorkerBackend>> open(std::string command, const WorkerOptions& options = {});

  Description describe() const override { return worker_.hello().claim; }
  Result<Shape> infer(const Call& call) override;
  // Where what comes back has another type or shape than `out`, Filled says so and `out` stays as it is.
  Result<Filled> run(const Call& call, MutableTensorView out) override;

  void look_ahead(std::span<const Upcoming> calls, std::function<void()> alive) override;
  void turn_to(std::size_t index) override;
  std::optional<int> ended() const override;

  // Lets the worker time itself: nanoseconds of each repetition of this call's `run`.  Errors: unsupported
  // where it does not do that.
  Result<std::vector<std::int64_t>> time(const Call& call, int repetitions);
  // What the worker answered, without a buffer that it should fit.
  Result<Tensor> answer(const Call& call);

  // Calls that it takes in one message.
  std::size_t batch() const noexcept { return worker_.hello().batch; }
  // What was wrong with the last message that was none of the protocol; empty when the last one was fine.
  const std::string& misspoken() const noexcept { return misspoken_; }
  // The end of what it wrote to standard error, where it is kept.
  std::string diagnostics() const { return worker_.diagnostics(); }

 private:
  // Where an answer lies: a message, perhaps about many calls, and this call's prefix in it.
  struct Answer {
    std::shared_ptr<const Message> message;
    std::string prefix;
  };
  struct Ahead {
    std::deque<Answer> infer, runs;
  };

  WorkerBackend(std::string command, const WorkerOptions& options)
      : worker_(std::move(command), options.diagnostics, options.lives, options.stop),
        options_(options),
        together_(options.together) {}

  Worker::Clock::time_point deadline() const;
  Result<Answer> ask(std::string_view command, const Call& call, int repetitions = 0);
  // The answers to as many of the upcoming calls as one message should hold.
  void fetch_from(std::size_t index);
  // Takes the next answer of this kind that came ahead, or asks.
  Result<Answer> next(std::string_view command, const Call& call, std::deque<Answer> Ahead::*kind);
  // The Error that an answer's status stands for; nothing when it is ok.
  std::optional<Error> refusal(const Answer& answer);
  Error unreadable(const std::string& what);
  Result<Message> send(MessageWriter message, Worker::Clock::time_point until,
                       const std::function<void()>& alive);

  Worker worker_;
  WorkerOptions options_;
  std::mutex mutex_;  // one call after the other
  std::span<const Upcoming> upcoming_;
  std::function<void()> alive_;
  std::map<std::size_t, Ahead> ahead_;  // by index in `upcoming_`
  std::optional<std::size_t> turn_;
  bool ended_in_turn_ = false;  // the worker, on one of the calls of this turn
  std::string misspoken_;
  std::size_t fetched_ = 0;                       // of the upcoming ones
  std::size_t together_;                          // calls in the next message, while messages are quick
  std::map<std::thread::id, Answer> characters_;  // of the last run of each thread: views point into them
};

}  // namespace certile
