#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "reference/values/result.hpp"

namespace certile {

// Memory for timing: begins on a page, from 2 MiB on a huge page where the system gives them; every page was
// written before it is handed out, with bytes that are not zero, and so were a page before and one after.
class Buffer {
 public:
  // Error out_of_memory with the size.
  static Result<Buffer> make(std::size_t size);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer();

  std::span<std::byte> bytes() const noexcept { return {bytes_, size_}; }

 private:
  Buffer(std::byte* mapping, std::size_t mapped, std::byte* bytes, std::size_t size) noexcept
      : mapping_(mapping), mapped_(mapped), bytes_(bytes), size_(size) {}

  std::byte* mapping_;
  std::size_t mapped_;
  std::byte* bytes_;
  std::size_t size_;
};

// The sentence above with what this system says of huge pages, for reports.
std::string page_policy();

// Removes the bytes from every cache, so that the next access reaches memory; where the processor cannot be
// told so, writes so much other memory that they are driven out.
void flush_from_caches(std::span<const std::byte> bytes);

}  // namespace certile
