#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace certile::conformance {

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

}  // namespace certile::conformance
