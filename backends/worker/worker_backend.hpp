#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/plugin/call.hpp"
#include "backends/worker/message.hpp"
#include "backends/worker/worker.hpp"
#include "reference/values/result.hpp"

namespace certile {

// How a worker's calls are made.
struct WorkerOptions {
  Process::Diagnostics diagnostics = Process::Diagnostics::kept;
  std::optional<std::chrono::milliseconds> call_limit = {};  // for one call, and for all of a batch
  std::function<bool()> stop = {};                           // asked while waiting: true gives up the answer
};

// A worker that is asked one call after the other: protocol.md beside this file says what the two say to each
// other.  A call during which the worker ends, or says what is no answer, is backend_failed; `ended` tells
// the first from the second.  A call after that starts a new one.
class WorkerBackend {
 public:
  // Errors as Worker::start's.
  static Result<std::unique_ptr<WorkerBackend>> open(std::string command, const WorkerOptions& options = {});

  const Claim& claim() const noexcept { return worker_.hello().claim; }
  Result<Shape> infer(const Call& call);

  // How the worker ended, as waitpid says it, where the last call was not answered for that reason.
  std::optional<int> ended() const;
  // Lets the worker time itself: nanoseconds of each repetition of this call's `run`.  Errors: unsupported
  // where it does not do that.
  Result<std::vector<std::int64_t>> time(const Call& call, int repetitions);
  // What the worker answered, without a buffer that it should fit.
  Result<Tensor> answer(const Call& call);
  // The same of several calls, all in one message.  An Error where the message has no answer.
  Result<std::vector<Result<Tensor>>> answers(std::span<const Call> calls);

  // Calls that it takes in one message.
  std::size_t batch() const noexcept { return worker_.hello().batch; }
  // What was wrong with the last message that was none of the protocol; empty when the last one was fine.
  const std::string& misspoken() const noexcept { return misspoken_; }
  // The end of what it wrote to standard error, where it is kept.
  std::string diagnostics() const { return worker_.diagnostics(); }

 private:
  WorkerBackend(std::string command, const WorkerOptions& options)
      : worker_(std::move(command), options.diagnostics, nullptr, options.stop), options_(options) {}

  Result<Message> ask(std::string_view command, const Call& call, int repetitions = 0);
  Result<Message> send(MessageWriter message);
  // Takes note of an error that says that the answer is none of the protocol.
  Error noted(const Error& error);

  Worker worker_;
  WorkerOptions options_;
  std::string misspoken_;
};

}  // namespace certile
