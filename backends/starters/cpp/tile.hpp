#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

// A call that the operator accepts, and whose output has elements.
struct Tiling {
  std::vector<std::int64_t> shape, repeats;  // of equal length
  std::size_t element_size = 0;              // in bytes
  std::size_t data_size = 0, out_size = 0;   // in bytes
};

// Prepares the kernel when the library is opened.  Throws if it cannot run on this machine.
void prepare();

// Writes the tiled data to `out`.  Several threads may call it at once.
void tile(const Tiling& call, const std::byte* data, std::byte* out);
