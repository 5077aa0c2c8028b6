#pragma once
#include <cstdint>

namespace certile::kernel {

// The ranges of a thread: several of a long output, or one, where a range is slow to begin.
enum class Ranges { several, one };

// An output cut into ranges of bytes for threads to write.  A thread that finishes a range takes the next
// one, so a thread that is late leaves its range to the others.
class Chunks {
 public:
  // Cuts `bytes` bytes from `address` on into a range for each of `threads`, or into several if they are
  // long. The ranges meet where pages do, so that each cache line belongs to one range.
  Chunks(std::uintptr_t address, std::uint64_t bytes, int threads, Ranges ranges = Ranges::several) noexcept;

  std::uint64_t count() const noexcept { return count_; }
  // Returns where chunk `index` begins; it is [begin(index), begin(index + 1)).
  std::uint64_t begin(std::uint64_t index) const noexcept;

 private:
  std::uint64_t bytes_, size_, count_;
  std::uint64_t before_;  // bytes of the first chunk's first page that precede the output
};

}  // namespace certile::kernel
