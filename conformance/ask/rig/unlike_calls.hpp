#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/plugin/plugin.hpp"
#include "backends/plugin/status.hpp"
#include "conformance/ask/rig/thread_state.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"

namespace certile::conformance {

// A period in which the calling thread may use one processor alone.  At its end the thread has the settings
// that it had before.
class ConfinedThread {
 public:
  ConfinedThread();
  ConfinedThread(const ConfinedThread&) = delete;
  ConfinedThread& operator=(const ConfinedThread&) = delete;
  ~ConfinedThread() { before_.put_back(); }

  // Returns the settings of the thread that have changed since the period began, in words; empty if none has.
  std::string changed() const { return ThreadState::now().changed_since(confined_); }

 private:
  ThreadState before_, confined_;
};

// The outputs of concurrent calls, in one memory, each between bytes that belong to no output.
class SideBySide {
 public:
  // Makes `count` outputs of `size` bytes, the size of whole elements, so that each is aligned for them.
  // Throws std::bad_alloc.
  SideBySide(std::size_t count, std::size_t size);

  std::span<std::byte> output(std::size_t index) noexcept { return places_[index].output; }

  // [CT-THREADS] Changes the bytes around an output, while a call that fills it may be under way: a call that
  // puts back what it found there undoes the change.  One thread at a time may do so.
  void change_around(std::size_t index) noexcept;
  // Returns the number of changes, for any thread.
  std::uint32_t changes_around(std::size_t index) const noexcept {
    return places_[index].changes.load(std::memory_order_relaxed);
  }
  // Returns true if a change was undone.  No other thread may be at work.
  bool has_undone_change() noexcept;

 private:
  struct alignas(64) Place {
    std::span<std::byte> output, before, behind;
    bool is_undone = false;
    std::atomic<std::uint32_t> changes{0};  // the low byte of the number is what the bytes are
  };

  std::vector<std::byte> bytes_;
  std::deque<Place> places_;
};

// [CT-THREADS] A caller of calls that are unlike those of a request: of another shape and size, with other
// repeats, of another element type, and one that is refused.  What a backend keeps outside its calls, such as
// dimensions, strides, a count of copies or the size of an element, would be the same for all calls of one
// shape.  The answers are not checked.
class UnlikeCalls {
 public:
  // Takes `shape`, the output's shape in the calls of the request.  Everything outlives this object.
  UnlikeCalls(const backends::Plugin& backend, const Request& request, const Shape& shape, CallClock& calls);
  // Makes the list of one of several threads: its calls of other sizes are its own, they are smaller, and the
  // thread begins at another place.
  UnlikeCalls(const backends::Plugin& backend, const Request& request, const Shape& shape, CallClock& calls,
              std::size_t lane);

  // Returns the number of different calls.
  std::size_t kinds() const noexcept { return unlike_.size(); }
  // Makes the next call, after its infer, if there is one.
  void call_once();
  // Makes it in these structures.
  void call_once(std::optional<backends::PluginCall>& call);

 private:
  struct Unlike {
    ElementType type;
    Shape shape, output;
    std::vector<std::byte> data;
    Tensor repeats;
    std::vector<std::byte> buffer;
    // True if it is run only where its infer refuses it, so that an implementation that checks nothing does
    // not fail in these calls, which try something else.
    bool is_refused = false;
  };

  void add_all(const Shape& output);
  void add(ElementType type, const Shape& shape, const Shape& output, const Tensor& repeats);
  void add_longer(const Shape& output, std::int64_t times);
  void add_other_shape(const Shape& output);
  void add_other_repeats();
  void add_other_types(const Shape& output);
  void add_text(const Shape& output);
  void add_refused(const Shape& output);

  const backends::Plugin& backend_;
  const Request& request_;
  CallClock& calls_;
  std::size_t most_;  // bytes of one output; larger ones would take the memory of the calls that count
  std::vector<Unlike> unlike_;
  std::size_t next_ = 0;
};

}  // namespace certile::conformance
