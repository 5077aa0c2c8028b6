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

namespace certile::backends {

// A choice of how to make a worker's calls.
struct WorkerOptions {
  Process::Diagnostics diagnostics = Process::Diagnostics::kept;
  std::optional<std::chrono::milliseconds> call_limit = {};  // for one call, and for all of a batch
  std::function<bool()> stop = {};                           // called while waiting: true abandons the answer
};

// A worker that is asked one call after the other, by the protocol of protocol.md in this folder.  A call
// during which the worker ends, or sends an invalid answer, is backend_failed; `ended` distinguishes them.
// The next call starts a new worker.
class WorkerBackend {
 public:
  // Starts a worker.  Errors are those of Worker::start.
  static Result<std::unique_ptr<WorkerBackend>> open(std::string command, const WorkerOptions& options = {});

  const Claim& claim() const noexcept { return worker_.hello().claim; }
  Result<Shape> infer(const Call& call);

  // Returns how the worker ended, in waitpid's format, if that left the last call without an answer.
  std::optional<int> ended() const;
  // Lets the worker time itself: returns nanoseconds for each repetition of this call's `run`.  Errors:
  // unsupported if the worker cannot do that.
  Result<std::vector<std::int64_t>> time(const Call& call, int repetitions);
  // Returns the worker's answer, without a buffer that it must fit.
  Result<Tensor> answer(const Call& call);
  // Does the same for several calls, all in one message.  Returns an Error if the message has no answer.
  Result<std::vector<Result<Tensor>>> answers(std::span<const Call> calls);

  // Returns the largest number of calls in one message.
  std::size_t batch() const noexcept { return worker_.hello().batch; }
  // Returns how the last message broke the protocol; empty if it was valid.
  const std::string& misspoken() const noexcept { return misspoken_; }
  // Returns the end of the worker's standard error, if that is kept.
  std::string diagnostics() const { return worker_.diagnostics(); }

 private:
  WorkerBackend(std::string command, const WorkerOptions& options)
      : worker_(std::move(command), options.diagnostics, nullptr, options.stop), options_(options) {}

  Result<Message> ask(std::string_view command, const Call& call, int repetitions = 0);
  Result<Message> send(MessageWriter message);
  // Records an error if the answer broke the protocol.
  Error noted(const Error& error);

  Worker worker_;
  WorkerOptions options_;
  std::string misspoken_;
};

}  // namespace certile::backends
