#pragma once
#include <cstdint>

namespace certile {

// An output cut into ranges of bytes for threads to write, each the next one when it has finished one: a
// thread that stands still for a while leaves more to the others.
class Chunks {
 public:
  // Of `bytes` bytes from `address` on, more than one for each of `threads`.  They meet where pages do: a
  // cache line belongs to one of them.
  Chunks(std::uintptr_t address, std::uint64_t bytes, int threads) noexcept;

  std::uint64_t count() const noexcept { return count_; }
  // Chunk `index` is [begin(index), begin(index + 1)).
  std::uint64_t begin(std::uint64_t index) const noexcept;

 private:
  std::uint64_t bytes_, size_, count_;
  std::uint64_t before_;  // bytes of the first chunk's first page that are not of the output
};

}  // namespace certile
