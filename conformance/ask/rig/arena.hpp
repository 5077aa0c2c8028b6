#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/values/result.hpp"

namespace certile {

// Where a buffer lies in its arena.
struct Spot {
  enum class Side : std::uint8_t {
    right,  // its end is the arena's: the byte after it is unreadable
    left,   // its beginning is the arena's: the byte before it is unreadable
    inside  // `offset` bytes past a 64-byte boundary, guard bytes on both sides
  } side = Side::right;
  int offset = 0;
};

// Memory between two unreadable areas, mapped once and used for one buffer after the other.  The backend is
// given `seen`, the rig writes through `written`: for inputs these are two mappings of the same memory, the
// first read-only.
class Arena {
 public:
  // What the guard bytes around a buffer hold.  Inputs' and outputs' differ, so that copying the one over the
  // other shows.
  static constexpr std::byte input_guard{0x3c}, output_guard{0xc3};
  static constexpr std::size_t guard_bytes = 256;  // looked at on each side that no unreadable page protects
  static constexpr std::size_t unreadable = 16 << 20;  // on each side

  // `capacity` bytes, rounded up to whole pages.  Error io with the system's reason.
  static Result<Arena> create(std::size_t capacity, bool read_only, std::byte guard);

  // Lays a buffer of `size` bytes out, with fresh guard bytes beside it; afterwards `seen` and `written` are
  // that buffer. False when it does not fit.
  bool place(std::size_t size, Spot spot) noexcept;
  // Null where the size is 0.
  std::byte* seen() const noexcept { return size_ == 0 ? nullptr : seen_base_ + start_; }
  std::span<std::byte> written() const noexcept { return {written_base_ + start_, size_}; }
  bool guards_intact() const noexcept;
  // Bytes that a buffer may have.
  std::size_t capacity() const noexcept { return capacity_ - 2 * guard_bytes; }

  // What a fault at `address` means: whether it lies in this arena or the unreadable areas beside it, and how
  // many bytes it is past the buffer's end (positive), before its beginning (negative) or within (0).  Safe
  // in a signal handler.
  struct Location {
    bool here = false;
    std::int64_t distance = 0;
  };
  Location locate(const void* address) const noexcept;

 private:
  Arena(std::byte* seen, std::byte* written, std::size_t capacity, std::byte guard) noexcept
      : seen_base_(seen), written_base_(written), capacity_(capacity), guard_(guard) {}
  std::span<std::byte> before() const noexcept;
  std::span<std::byte> after() const noexcept;

  std::byte* seen_base_;
  std::byte* written_base_;
  std::size_t capacity_;
  std::byte guard_;
  std::size_t start_ = 0, size_ = 0;
};

}  // namespace certile
