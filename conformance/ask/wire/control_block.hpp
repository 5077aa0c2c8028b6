#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "backends/plugin/captured_output.hpp"
#include "conformance/facts/outcome.hpp"

namespace certile::conformance {

// The paths that a backend opened to write to, in memory that the runner shares with the backend's processes.
// The runner trusts no byte of it.
class WrittenFiles {
 public:
  // Adds a path that is not there yet, if there is room.  Several threads and processes may call it.
  void note(std::string_view path, bool was_refused) noexcept;
  // Returns the lines, "+PATH" or "-PATH" for a refused one.
  std::set<std::string> lines() const;

 private:
  static constexpr std::size_t room = 4096;
  std::atomic<std::uint32_t> used_;
  std::array<char, room> text_;
};

// The runner, the host process and its child share this block, at the beginning of the memory that all three
// map.  A backend may have overwritten anything in it, so the runner checks every value that it reads.

enum class ChildState : std::uint32_t {
  none,      // not started, or its end was recorded
  starting,  // loading the backend
  serving,   // answering; the description is at the beginning of the first reply buffer
  dead,      // ended; `wait_status` says how
};

// An enumeration apart from the state, which may be `dead` after a refusal before anyone has read it.
enum class Opening : std::uint32_t { under_way, done, refused };

// The activity of the child, for the explanation of a signal.  `prepare` and `collect` are the rig's work,
// before and after a call.
enum class Phase : std::uint32_t { idle, prepare, infer, first_run, second_run, concurrent_runs, collect };

// A count of calls of the backend, because the time limit is for those alone.
struct CallClock {
  std::atomic<std::uint64_t> begun;      // grows with every call, before the call is made
  std::atomic<std::uint32_t> under_way;  // calls that have begun and not ended

  // Begins a call that no other thread's call overlaps.
  void begin_alone() noexcept {
    begun.fetch_add(1, std::memory_order_relaxed);
    under_way.store(1, std::memory_order_release);
  }
  void end_alone() noexcept { under_way.store(0, std::memory_order_release); }
  // Begins one of several concurrent calls.
  void begin() noexcept {
    begun.fetch_add(1, std::memory_order_relaxed);
    under_way.fetch_add(1, std::memory_order_release);
  }
  void end() noexcept { under_way.fetch_sub(1, std::memory_order_release); }
};

// A choice of when the child checks its process for changes: a check takes microseconds.
enum class Look : std::uint32_t {
  at_end,          // of the batch, at its last request
  up_to_a_change,  // after each request; a request that changed something ends the batch
  at_each          // after each request
};

// One half of the double buffer: the runner fills one batch while the child answers the other.
struct Slot {
  std::atomic<std::uint32_t> first;       // the first request to answer: those before it have answers
  std::atomic<std::uint32_t> count;       // requests in the buffer
  std::atomic<std::uint32_t> answered;    // replies in the reply buffer, from request 0 on
  std::atomic<std::uint64_t> reply_used;  // in bytes
  std::atomic<Look> look;
  std::atomic<std::uint32_t> state_changed;  // a call left its process changed; the last reply says how
  std::atomic<std::uint32_t> only_first;     // the one request, repeated, changed nothing
};

// A cause of a memory fault that is not next to a buffer, as its address shows it.
enum class FaultCause : std::uint32_t {
  unknown,
  no_address,        // the processor refused the access itself
  null_pointer,      // near address 0
  index_of_32_bits,  // a multiple of 2^32 bytes away from a buffer
};

// A memory fault that the rig explained, from the signal handler.
struct FaultNote {
  std::atomic<std::uint32_t> fault;    // a Fault, as its number
  std::atomic<FaultCause> cause;       // if there is no such Fault
  std::atomic<std::uint32_t> operand;  // in the order of the rig's buffers
  std::atomic<std::int64_t> distance;  // bytes past the end (positive) or before the beginning (negative)
};

struct ControlBlock {
  std::atomic<std::uint32_t>
      events;  // signals the runner: a batch was answered, or the child's state has changed
  std::atomic<std::uint32_t> submitted;  // signals the child: number of batches since it started
  std::atomic<std::uint32_t> done;       // number of batches that are fully answered
  std::atomic<std::uint32_t> quit;       // the child should close the backend and end
  std::atomic<std::uint32_t> closed;     // the child has closed it
  std::atomic<ChildState> state;
  std::atomic<Opening> opening;           // how far the child started last got with its backend
  std::atomic<std::int32_t> wait_status;  // in the format of waitpid
  CallClock calls;
  std::atomic<Phase> phase;
  std::array<Slot, 2> slots;
  FaultNote fault;
  backends::CapturedOutput printed;  // by the child; whole once its end is recorded
  WrittenFiles written;              // by every child
};

// A layout of the memory that both sides write.
struct Layout {
  std::size_t request_bytes;  // per slot
  std::size_t reply_bytes;    // per slot

  static constexpr std::size_t control_bytes = 16384;
  std::size_t request_total() const noexcept { return 2 * request_bytes; }
  std::size_t reply_total() const noexcept { return control_bytes + 2 * reply_bytes; }
};
static_assert(sizeof(ControlBlock) <= Layout::control_bytes);

}  // namespace certile::conformance
