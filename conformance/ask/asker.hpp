#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/ask/process/surroundings.hpp"
#include "conformance/ask/sandbox/layers.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"
#include "conformance/facts/claim.hpp"
#include "conformance/facts/outcome.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

class LoadedFiles;
class WrittenPaths;

struct IsolateOptions {
  std::string program = "/proc/self/exe";  // a certile, which is started again as host
  std::string spelling;                    // BACKEND
  // Milliseconds of the processes' own time, which a busy machine does not stretch.
  int time_limit = 10'000;                              // for one call
  int start_limit = 60'000;                             // for loading
  int rig_limit = 120'000;                              // for the rig's work around one call
  std::uint64_t memory_limit = std::uint64_t{4} << 30;  // bytes that the backend may write to; 0: no limit
  std::vector<std::string> environment;  // "NAME=VALUE", added to the environment of the backend's process
  Surroundings surroundings = Surroundings::bare();  // of the backend's process, unless it is a worker
  std::optional<SandboxFound> sandbox;  // the backend's process has its layers; nothing: no sandbox
  std::string fresh_folder;  // the host's files outlive no process but this one's folder; empty: as usual
  bool keeps_environment = false;  // the host gets this process's environment: the backend is not judged
  const std::atomic<bool>* interrupted = nullptr;  // set by others: no more children are started
  std::atomic<std::uint64_t>* printed = nullptr;   // counts the bytes that a library prints
  WrittenPaths* written = nullptr;                 // gets the paths that a library opens to write to
  LoadedFiles* loaded = nullptr;  // notes the files of the processes that make the calls; null: nothing does
  std::function<bool()> stop;     // polled while waiting: true abandons every request without an answer
  Layout layout{std::size_t{16} << 20, std::size_t{32} << 20};
};

// The end of the backend's process during a request, and the rig's explanation.
struct ChildEnd {
  bool timed_out = false;
  bool rig_timed_out = false;  // not in a call of the backend, but in the rig's work around it
  bool unreadable = false;     // the process overwrote the memory that it shares with this one
  int signal = 0, exit_code = 0;
  bool host_ended = false;    // the process ended the host process too
  Fault fault = Fault::none;  // as the rig explains it
  FaultCause cause = FaultCause::unknown;
  std::uint32_t operand = 0;  // 0 data, 1 repeats, 2 axis, 3 output
  std::int64_t distance = 0;
  Phase phase = Phase::idle;
};

// The answer to one request: a reply, or the end of the process.
struct RawAnswer {
  std::optional<Reply> reply;
  ChildEnd end;                     // set if there is no reply
  std::string diagnostics;          // the beginning and the end of what the process printed, if it ended
  bool only_first_changed = false;  // the call left its process changed, but the same call repeated did not
};

// A way to one backend, in a separate process.  Requests are answered in order, and many may be pending at
// once; a request that ends the process affects only itself.
class Asker {
 public:
  using Listener = std::function<void(RawAnswer)>;
  virtual ~Asker() = default;

  virtual const Claim& claim() const noexcept = 0;
  virtual Transport transport() const noexcept = 0;

  // Sets the callback that receives each answer, in the order of the requests.
  virtual void listen(Listener listener) = 0;
  // Accepts a request, which must live until it is answered or abandoned; earlier ones may be answered
  // meanwhile.  Returns false if the request or its reply is larger than the layout allows.  Error io if no
  // more processes can be started.
  virtual Result<bool> submit(const Request& request) = 0;
  // Waits until every request is answered, or abandoned because of `stop`.
  virtual Result<Done> finish() = 0;
  // Sets what the process of the next fresh instance has around it; a worker always has what certile has.
  virtual void surround(Surroundings) noexcept {}
  // Starts a fresh instance, without history, once all requests are answered or abandoned.
  virtual Result<Done> restart() = 0;
  // Lets the backend close; returns how its process ended if the end was abnormal.
  virtual std::optional<ChildEnd> close() = 0;
  // Returns the beginning and the end of what the process printed; complete once it has ended.
  virtual std::string printed() const = 0;
  virtual void set_time_limit(int milliseconds) noexcept = 0;
  // Returns what its processes took by themselves while they were waited for, to some 50 ms; see OwnTime.
  virtual std::chrono::nanoseconds own_time() const noexcept = 0;

  // Asks one request that has `plain`, and waits for its answer, for all calls together no longer than
  // `time_limit` milliseconds.  The listener is replaced, and no other request may be pending.  Errors: what
  // the backend answers instead, unsupported if it cannot be timed that way; backend_failed with how its
  // process ended; io if it is late or stopped, or certile has no memory.
  //
  // Returns the time of the calls.
  Result<Timing> time(const Request& request, int time_limit);
  // Returns a part of the output; an empty one is its end.
  Result<std::vector<std::byte>> part_of_output(const Request& request, int time_limit);

 private:
  Result<Reply> ask_plainly(const Request& request, int time_limit);
};

// Starts the backend: a worker over pipes, and any other one in a host process with the rig.  Errors: io if
// it cannot be started, unsupported for an unknown backend.
Result<std::unique_ptr<Asker>> open_asker(const IsolateOptions& options);

}  // namespace certile::conformance
