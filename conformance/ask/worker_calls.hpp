#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "backends/worker/message.hpp"
#include "conformance/ask/wire/request.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A request as calls of a worker: `infer`, if the worker has it, and `run` twice for each concurrent call;
// for plain calls, one `time` or `run`; and their answers.  A worker answers calls one after the other, so
// concurrent calls are calls with several data.
class WorkerCalls {
 public:
  // Keeps a pointer to the request.
  WorkerCalls(const Request& request, bool infers);

  std::size_t count() const noexcept { return first_run_ + runs_; }
  bool is_infer(std::size_t call) const noexcept { return call < first_run_; }
  // A decision whether to make a call: `open` until the answer of `infer` is known.
  enum class Due { yes, no, open };
  Due due(std::size_t call) const;
  // Returns true if a call may be made while that is open, because a right worker needs little for it.
  bool may_go_ahead() const noexcept { return may_go_ahead_; }
  // Returns the bytes of a call and its answer, roughly.
  std::size_t size() const noexcept { return size_; }

  void add_to(backends::MessageWriter& message, std::size_t call) const;
  void take(std::size_t call, const backends::Message& answer);
  // Records that the call has no answer.
  void fail(std::size_t call, const Error& why);
  Reply take_reply();

 private:
  std::size_t lane_of(std::size_t call) const noexcept;
  int side_of(std::size_t call) const noexcept;
  void set_inferred(const Result<Shape>& inferred);
  void take_times(const backends::Message& answer);
  void take_output(const backends::Message::Received& came, RunReply& run, const RunReply& other,
                   std::size_t lane);

  const Request* request_;
  std::size_t first_run_, runs_;
  bool may_go_ahead_;
  std::size_t size_;
  bool has_inferred_ = false;
  Reply reply_;
  std::optional<Shape> shape_;  // of the output, if `run` is expected
};

}  // namespace certile::conformance
