#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "reference/values/result.hpp"

namespace certile::conformance {

// A memory block for timing.  It begins on a page, from 2 MiB on a huge page if the system provides them.
// Every page, and one on either side, was written with bytes that are not zero.
class WarmMemory {
 public:
  // Allocates `size` bytes.  Error out_of_memory with the size.
  static Result<WarmMemory> make(std::size_t size);
  WarmMemory(WarmMemory&& other) noexcept;
  WarmMemory& operator=(WarmMemory&&) = delete;
  ~WarmMemory();

  std::span<std::byte> bytes() const noexcept { return {bytes_, size_}; }

 private:
  WarmMemory(std::byte* mapping, std::size_t mapped, std::byte* bytes, std::size_t size) noexcept
      : mapping_(mapping), mapped_(mapped), bytes_(bytes), size_(size) {}

  std::byte* mapping_;
  std::size_t mapped_;
  std::byte* bytes_;
  std::size_t size_;
};

// Returns the rule above with this system's huge-page setting, for reports.
std::string page_policy();

// Removes the bytes from every cache, so that the next access reaches memory.  On processors without an
// instruction for that, it drives the bytes out by writing other memory.
void flush_from_caches(std::span<const std::byte> bytes);

}  // namespace certile::conformance
