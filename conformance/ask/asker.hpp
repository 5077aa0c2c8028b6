#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backends/plugin/claim.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"
#include "conformance/facts/outcome.hpp"
#include "reference/values/result.hpp"

namespace certile {

struct IsolateOptions {
  std::string program = "/proc/self/exe";               // a certile, which is started again as host or keeper
  std::string spelling;                                 // BACKEND
  int time_limit = 10'000;                              // milliseconds that one call may take
  int start_limit = 30'000;                             // and that loading may take
  int rig_limit = 120'000;                              // and that the rig's own work around a call may take
  std::uint64_t memory_limit = std::uint64_t{4} << 30;  // bytes that it may write to; 0: none
  const std::atomic<bool>* interrupted = nullptr;       // set from outside: no child is started any more
  std::function<bool()> stop;  // asked while waiting: true gives up whatever has not been answered by then
  Layout layout{std::size_t{16} << 20, std::size_t{32} << 20};
};

// How the backend's process ended in the middle of a request, and what the rig understood of it.
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

// What came back for one request: a reply, or the end of the process.
struct RawAnswer {
  std::optional<Reply> reply;
  ChildEnd end;                     // where there is no reply
  std::string diagnostics;          // the end of what the process printed, where it ended
  bool only_first_changed = false;  // the call left its process changed, and the same call after it did not
};

// What a transport shows of a backend.
struct Door {
  bool shares_memory = true;  // the rig owns the buffers: bounds, inputs, places, threads are seen
};

// A way to one backend, which is in a process of its own.  Requests are answered in order, many of them on
// their way at once; a request on which the process ends costs that request alone.
class Asker {
 public:
  using Listener = std::function<void(RawAnswer)>;
  virtual ~Asker() = default;

  virtual const Claim& claim() const noexcept = 0;
  virtual Door door() const noexcept = 0;

  // Sets the callback that receives each answer, in the order of the requests.
  virtual void listen(Listener listener) = 0;
  // Accepts a request, which lives until it is answered or given up; earlier ones may be answered meanwhile.
  // False when request or reply is larger than the layout allows.  Error io when no process can be started
  // any more.
  virtual Result<bool> submit(const Request& request) = 0;
  // Waits until every request has been answered, or was given up because of `stop`.
  virtual Result<Done> finish() = 0;
  // Starts a fresh instance, without history.  All requests have been answered or given up.
  virtual Result<Done> restart() = 0;
  // Lets the backend close; returns how its process ended, where that was not as it should.
  virtual std::optional<ChildEnd> close() = 0;
  // Returns the end of what the process printed; whole once it has ended.
  virtual std::string printed() const = 0;
  virtual void set_time_limit(int milliseconds) noexcept = 0;
};

// Starts the backend: a worker behind pipes, and any other one in a host process with the rig.  Errors: io
// where it cannot be started, unsupported for an unknown backend.
Result<std::unique_ptr<Asker>> open_asker(const IsolateOptions& options);

}  // namespace certile
