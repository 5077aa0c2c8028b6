#include "backends/kernel/chunks.hpp"

#include <algorithm>

namespace certile::kernel {
namespace {

constexpr std::uint64_t page = 4096;
// Below this size every chunk more costs what it gains: it makes its periods again.  Above, more chunks leave
// less to wait for.
constexpr std::uint64_t shortest_divided_often = 8 << 20;
constexpr std::uint64_t chunks_for_each = 8;
// The kernel writes a smaller chunk faster than it finds the chunk's place in the tiling.
constexpr std::uint64_t least = 32 * 1024;

std::uint64_t chunks_of(std::uint64_t size, std::uint64_t bytes) noexcept {
  return bytes / size + (bytes % size != 0);
}

}  // namespace

Chunks::Chunks(std::uintptr_t address, std::uint64_t bytes, int threads, Ranges ranges) noexcept
    : bytes_(bytes), before_(address % page) {
  const bool is_one = ranges == Ranges::one || bytes < shortest_divided_often;
  const std::uint64_t wanted = (is_one ? 1 : chunks_for_each) * static_cast<std::uint64_t>(threads);
  size_ = std::max(least, chunks_of(page, bytes / wanted) * page);
  count_ = chunks_of(size_, bytes + before_);
}

std::uint64_t Chunks::begin(std::uint64_t index) const noexcept {
  return index == 0 ? 0 : std::min(index * size_ - before_, bytes_);
}

}  // namespace certile::kernel
