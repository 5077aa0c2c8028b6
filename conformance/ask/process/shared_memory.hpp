#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/values/result.hpp"

namespace certile::conformance {

// Waits on a word that several processes map; the standard library's waits work only within one process.

// Sleeps while the word is `value`, for at most `milliseconds`; may wake early.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, int milliseconds) noexcept;
// Adds 1 to the word and wakes its sleepers.
void futex_ring(std::atomic<std::uint32_t>& word) noexcept;

// A file in memory that two processes map.  Closes and unmaps with its owner.
class SharedMemory {
 public:
  // Creates a file of `size` zero bytes, mapped for reading and writing.  With `future_read_only` all later
  // mappings are read-only and cannot become writable; this mapping stays writable.  Error io with the
  // system's reason.
  static Result<SharedMemory> create(std::size_t size, bool future_read_only);
  // Maps a file that another process created; takes the descriptor and closes it.
  static Result<SharedMemory> map(int descriptor, std::size_t size, bool writable);

  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&&) = delete;
  ~SharedMemory();

  std::span<std::byte> bytes() const noexcept { return {address_, size_}; }
  // Gives the whole pages of a part of `bytes()` back to the system; they read as zeros afterwards.  Without
  // effect on memory with `future_read_only`.
  static void give_back(std::span<std::byte> part) noexcept;
  int descriptor() const noexcept { return descriptor_; }  // -1 once closed

 private:
  SharedMemory(int descriptor, std::byte* address, std::size_t size) noexcept;

  int descriptor_;
  std::byte* address_;
  std::size_t size_;
};

}  // namespace certile::conformance
