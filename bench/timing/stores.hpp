#pragma once
#include <cstddef>
#include <span>

namespace certile::bench {

// The plainest ways to write memory, with which everything is compared; they share nothing with any backend.
// All of them take an output that begins on a cache line, store whole vectors of the widest kind of this
// processor, and write the rest byte by byte.
struct StoreKernels {
  using Fill = void (*)(std::span<std::byte> output);
  using Copy = void (*)(std::span<std::byte> output, std::span<const std::byte> source);

  Fill fill = nullptr;               // with a value that is not zero
  Copy copy = nullptr;               // the source over and over
  Fill fill_non_temporal = nullptr;  // null if the processor has no such store
  Copy copy_non_temporal = nullptr;
};

// Returns the kernels for this processor.
const StoreKernels& store_kernels() noexcept;

}  // namespace certile::bench
