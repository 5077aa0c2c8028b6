#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "conformance/facts/outcome.hpp"

namespace certile {

// What the runner, the host process and its child know of each other.  It lies at the beginning of the memory
// that all three map; everything in it was perhaps overwritten by a backend, so the runner checks what it
// reads.

enum class ChildState : std::uint32_t {
  none,      // not started, or its end was taken note of
  starting,  // it loads the backend
  serving,   // it answers; the description lies at the beginning of the first reply buffer
  dead,      // it ended; `wait_status` says how
};

// Kept apart from the state, which is `dead` soon after a refusal and perhaps before anybody looks.
enum class Opening : std::uint32_t { under_way, done, refused };

// What the child was doing, so that a signal can be told apart.  `prepare` and `collect` are the rig's own
// work, before a call and after it.
enum class Phase : std::uint32_t { idle, prepare, infer, first_run, second_run, concurrent_runs, collect };

// Calls of the backend, for which alone the time limit is.
struct CallClock {
  std::atomic<std::uint64_t> begun;      // grows with every call, before it is made
  std::atomic<std::uint32_t> under_way;  // calls that have begun and not ended

  // Around a call that no other thread makes calls beside.
  void begin_alone() noexcept {
    begun.fetch_add(1, std::memory_order_relaxed);
    under_way.store(1, std::memory_order_release);
  }
  void end_alone() noexcept { under_way.store(0, std::memory_order_release); }
  // Around one of several at once.
  void begin() noexcept {
    begun.fetch_add(1, std::memory_order_relaxed);
    under_way.fetch_add(1, std::memory_order_release);
  }
  void end() noexcept { under_way.fetch_sub(1, std::memory_order_release); }
};

// When the child looks at what calls left changed in its process: looking takes microseconds.
enum class Look : std::uint32_t {
  at_end,          // of the batch, at its last request
  up_to_a_change,  // after each request; one that left something changed is the last that is answered
  at_each          // after each request
};

// One half of the double buffer: the runner fills one batch while the child answers the other.
struct Slot {
  std::atomic<std::uint32_t> first;     // the first request that is to be answered: those before it have been
  std::atomic<std::uint32_t> count;     // requests in the buffer
  std::atomic<std::uint32_t> answered;  // replies in the reply buffer, from request 0 on
  std::atomic<std::uint64_t> reply_used;  // bytes of them
  std::atomic<Look> look;
  std::atomic<std::uint32_t> state_changed;  // a call left its process changed; the last reply says how
  std::atomic<std::uint32_t> only_first;     // the one request, made once more, did not change it again
};

// A memory fault that the rig understood, noted by the signal handler.
struct FaultNote {
  std::atomic<std::uint32_t> fault;    // a Fault, as its number
  std::atomic<std::uint32_t> operand;  // 0 data, 1 repeats, 2 axis, 3 output
  std::atomic<std::int64_t> distance;  // bytes past the end (positive) or before the beginning (negative)
};

struct ControlBlock {
  static constexpr std::size_t tail_size = 8192;

  std::atomic<std::uint32_t>
      events;  // rung for the runner: a batch was answered, or the child's state is another
  std::atomic<std::uint32_t> submitted;  // rung for the child: batches handed over since it started
  std::atomic<std::uint32_t> done;       // batches answered whole
  std::atomic<std::uint32_t> quit;       // the child should close the backend and end
  std::atomic<std::uint32_t> closed;     // it has closed it
  std::atomic<ChildState> state;
  std::atomic<Opening> opening;           // how far the child that was started last got with its backend
  std::atomic<std::int32_t> wait_status;  // as waitpid gives it
  CallClock calls;
  std::atomic<Phase> phase;
  std::array<Slot, 2> slots;
  FaultNote fault;
  std::atomic<std::uint32_t> tail_used;  // the end of what the child printed
  std::array<char, tail_size> tail;
};

// Where things lie in the memory that is written by both sides.
struct Layout {
  std::size_t request_bytes;  // per slot
  std::size_t reply_bytes;    // per slot

  static constexpr std::size_t control_bytes = 16384;
  std::size_t request_total() const noexcept { return 2 * request_bytes; }
  std::size_t reply_total() const noexcept { return control_bytes + 2 * reply_bytes; }
};
static_assert(sizeof(ControlBlock) <= Layout::control_bytes);

}  // namespace certile
