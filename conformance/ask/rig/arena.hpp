#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The place of a buffer in its arena.
struct Spot {
  enum class Side : std::uint8_t {
    right,  // the buffer ends at the arena's end: the byte after it is unreadable
    left,   // the buffer begins at the arena's beginning: the byte before it is unreadable
    inside  // `offset` bytes past a 64-byte boundary, guard bytes on both sides
  } side = Side::right;
  int offset = 0;
};

// A stretch of memory between two unreadable areas, mapped once and used for one buffer after the other.  The
// backend gets `seen`, the rig writes through `written`: for inputs these are two mappings of the same
// memory, the first read-only.  The last page lies above a multiple of 4 GiB, where such a place is free.
class Arena {
 public:
  // The content of the guard bytes around a buffer.  Inputs' and outputs' differ, so that copying one over
  // the other shows.
  static constexpr std::byte input_guard{0x3c}, output_guard{0xc3};
  static constexpr std::size_t guard_bytes = 256;      // checked on each side without an unreadable page
  static constexpr std::size_t unreadable = 16 << 20;  // on each side

  // Creates an arena of `capacity` bytes, rounded up to whole pages; one for outputs begins at a multiple of
  // 2 MiB.  Error io with the system's reason.
  static Result<Arena> create(std::size_t capacity, bool read_only, std::byte guard);

  // Lays out a buffer of `size` bytes between fresh guard bytes; afterwards `seen` and `written` are that
  // buffer.  Returns false if it does not fit.
  bool place(std::size_t size, Spot spot) noexcept;
  // Returns null if the size is 0.
  std::byte* seen() const noexcept { return size_ == 0 ? nullptr : seen_base_ + start_; }
  std::span<std::byte> written() const noexcept { return {written_base_ + start_, size_}; }
  // Returns the same bytes of an input at another read-only place, farther away than 32 bits reach where
  // such places are free; null for an output.
  const std::byte* twin() const noexcept { return twin_base_ == nullptr ? nullptr : twin_base_ + start_; }
  bool guards_intact() const noexcept;
  // Returns the largest size of a buffer, in bytes.
  std::size_t capacity() const noexcept { return capacity_ - 2 * guard_bytes; }

  // The place of an address: whether it is in this arena or its unreadable areas, and how many bytes past the
  // buffer's end (positive), before its beginning (negative) or within (0).  Safe in a signal handler.
  struct Location {
    bool here = false;
    std::int64_t distance = 0;
  };
  Location locate(const void* address) const noexcept;
  // Returns true for an address outside that becomes one in the buffer, or within a page of it, by a multiple
  // of 4 GiB.  Safe in a signal handler.
  bool is_multiples_of_4_gib_away(const void* address) const noexcept;

 private:
  Arena(std::size_t capacity, std::byte guard) noexcept
      : capacity_(capacity), extent_(capacity), guard_(guard) {}
  bool map_output() noexcept;
  bool map_input() noexcept;
  Location locate_from(const std::byte* first, const void* address) const noexcept;
  std::span<std::byte> before() const noexcept;
  std::span<std::byte> after() const noexcept;

  std::byte *seen_base_ = nullptr, *written_base_ = nullptr, *twin_base_ = nullptr;
  std::size_t capacity_, extent_;  // of the largest buffer, and of what is mapped
  std::byte guard_;
  std::size_t start_ = 0, size_ = 0;
};

}  // namespace certile::conformance
