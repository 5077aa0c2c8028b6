#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "backends/worker/message.hpp"
#include "conformance/ask/wire/request.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile {

// A request as a worker's calls, `infer` where it has that and `run` twice for each concurrent call, and what
// they brought.  A worker answers one call after the other, so that concurrent calls are calls with several
// data.
class WorkerCalls {
 public:
  // The request outlives it.
  WorkerCalls(const Request& request, bool infers);

  std::size_t count() const noexcept { return first_run_ + runs_; }
  bool is_infer(std::size_t call) const noexcept { return call < first_run_; }
  // Whether that call is to be made: `open` as long as it depends on what `infer` says.
  enum class Due { yes, no, open };
  Due due(std::size_t call) const;
  // True where a call may be made although it is open, because a worker that is right takes little for it.
  bool may_go_ahead() const noexcept { return may_go_ahead_; }
  // Bytes that a call and its answer take, roughly.
  std::size_t size() const noexcept { return size_; }

  void add_to(MessageWriter& message, std::size_t call) const;
  // True where the call's message is that of the call before it.
  bool is_repeated(std::size_t call) const noexcept { return call > first_run_ && runs_ == 2; }
  // `prefix`: of its keys in the answer.
  void take(std::size_t call, const Message& answer, std::string_view prefix);
  // The answer is that of the call before, which this one repeats.
  void take_repeated(std::size_t call);
  // The call has no answer.
  void fail(std::size_t call, const Error& why);
  // Forgets every answer.
  void start_again();
  Reply take_reply();

 private:
  std::size_t lane_of(std::size_t call) const noexcept;
  int side_of(std::size_t call) const noexcept;
  void set_inferred(const Result<Shape>& inferred);
  void take_output(const Message::Received& came, RunReply& run, const RunReply& other, std::size_t lane);

  const Request* request_;
  std::size_t first_run_, runs_;
  bool may_go_ahead_;
  std::size_t size_;
  bool has_inferred_ = false;
  Reply reply_;
  std::optional<Shape> shape_;  // of the output, where `run` is due
};

}  // namespace certile
