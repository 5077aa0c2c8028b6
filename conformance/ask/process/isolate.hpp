#pragma once
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backends/plugin/backend.hpp"
#include "conformance/ask/process/host_options.hpp"
#include "conformance/ask/process/shared_memory.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"
#include "conformance/facts/outcome.hpp"
#include "reference/values/result.hpp"

namespace certile {

struct IsolateOptions {
  std::string program = "/proc/self/exe";               // a certile, which is started again as the host
  std::string spelling;                                 // BACKEND
  int time_limit = 10'000;                              // milliseconds that one call may take
  int start_limit = 30'000;                             // and that loading may take
  int rig_limit = 120'000;                              // and that the rig's own work around a call may take
  std::uint64_t memory_limit = std::uint64_t{4} << 30;  // bytes that it may write to; 0: none
  const std::atomic<bool>* interrupted = nullptr;       // set from outside: no child is started any more
  std::function<bool()> stop;  // asked while waiting: true gives up whatever has not been answered by then
  Layout layout{std::size_t{16} << 20, std::size_t{32} << 20};
};

// How the child ended in the middle of a request, and what the rig understood of it.
struct ChildEnd {
  bool timed_out = false;
  bool rig_timed_out = false;  // not in a call of the backend, but in the rig's work around it
  bool unreadable = false;     // its answer makes no sense: it wrote over the memory between it and us
  int signal = 0, exit_code = 0;
  bool host_ended = false;    // it took the host process with it
  Fault fault = Fault::none;  // of the rig
  std::uint32_t operand = 0;  // 0 data, 1 repeats, 2 axis, 3 output
  std::int64_t distance = 0;
  Phase phase = Phase::idle;
};

// What came back for one request: a reply, or the end of the child.
struct RawAnswer {
  std::optional<Reply> reply;
  ChildEnd end;                     // where there is no reply
  std::string diagnostics;          // the end of what the child printed, where it ended
  bool only_first_changed = false;  // the call left its process changed, and the same call after it did not
};

// One backend in a process of its own.  Requests are answered in order, many of them on their way at once; a
// request on which the child ends costs that request alone: a new child takes the next one.  So do the first
// ten requests that leave the child's process changed; after that a changed process goes on, and only what
// changes in it further is told.
class Isolate {
 public:
  using Listener = std::function<void(RawAnswer)>;

  // Starts the host and a first child.  Errors: io where the backend cannot be loaded or ends while loading,
  // or the system refuses; unsupported for an unknown backend.
  static Result<std::unique_ptr<Isolate>> start(const IsolateOptions& options);
  ~Isolate();
  Isolate(const Isolate&) = delete;
  Isolate& operator=(const Isolate&) = delete;

  const Description& description() const noexcept { return description_; }

  // Whoever is told each answer, in the order of the requests.
  void listen(Listener listener) { listener_ = std::move(listener); }

  // Hands a request over, perhaps together with others; earlier ones may be answered meanwhile.  False when
  // request or reply is larger than the layout allows.  Error io when a child cannot be started any more.
  Result<bool> submit(const Request& request);
  // Waits until every request has been answered, or was given up.
  Result<Done> finish();
  // A fresh child, as if nothing had been called before.  All requests have been answered.
  Result<Done> restart();
  // Lets the backend close and the child end; the answer is how it ended, where that was not as it should.
  std::optional<ChildEnd> close_backend();
  // The end of what the child printed; whole once it has ended.
  std::string printed() const;

  void set_time_limit(int milliseconds) noexcept { options_.time_limit = milliseconds; }

 private:
  struct Batch {
    std::size_t requests = 0, asked = 0, delivered = 0, replies_read = 0, reply_offset = 0,
                reply_reserved = 0, request_used = 0;
    bool one_by_one = false;     // each of its requests is asked in a process of its own from now on
    bool looks_at_each = false;  // what its calls leave changed is looked for after each
    bool just_changed = false;   // the request that was delivered last left its process changed
  };

  Isolate(IsolateOptions options, SharedMemory requests, SharedMemory replies);
  ControlBlock& control() const noexcept;
  Result<Done> start_host();
  void end_host() noexcept;
  Result<Done> start_child();
  Result<Done> wait_for_start();
  bool command(char what) noexcept;
  bool host_is_gone() noexcept;
  // Waits for the child's end; kills whatever does not end in time.
  void await_death(int milliseconds) noexcept;

  Result<Done> hand_over();
  Result<Done> collect_oldest();
  // False when a reply cannot be read.
  bool deliver_replies(Batch& batch, const Slot& slot, std::size_t index);
  void deliver_end(Batch& batch, const ChildEnd& end);
  // A new child, for what has not been answered.
  Result<Done> restart_with_rest();
  // Sets what the next child goes on with; the last one may have written anything there.
  void restore_control() noexcept;
  enum class Waited { answered, ended, late, rig_late, stopped };
  Waited wait_for_batch(std::uint32_t number);
  ChildEnd how_it_ended();

  IsolateOptions options_;
  SharedMemory requests_, replies_;
  pid_t host_ = -1;
  int socket_ = -1;
  Description description_;
  Listener listener_;
  Batch batches_[2];
  std::uint32_t built_ = 0;      // batches handed over since the child's counters were reset
  bool given_up_ = false;        // nothing is asked until a restart
  bool is_used_up_ = false;      // the next batch is for another child
  int answers_of_child_ = 0;     // delivered since it began
  int changes_ = 0;              // calls that left their process changed, or short of something, and cost it
  std::uint32_t collected_ = 0;  // of these, answered and delivered
};

}  // namespace certile
