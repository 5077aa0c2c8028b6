#pragma once
#include <cstddef>
#include <span>

namespace certile::bench {

// The plainest ways to write memory, with which everything is compared; they share nothing with any backend.
// All of them take an output that begins on a cache line, and a source of whole cache lines or as large as
// the output.  Those of vectors store the widest kind of this processor, and write the rest byte by byte.
struct StoreKernels {
  using Fill = void (*)(std::span<std::byte> output);
  using Copy = void (*)(std::span<std::byte> output, std::span<const std::byte> source);

  Fill fill = nullptr;               // with a value that is not zero
  Copy copy = nullptr;               // the source over and over
  Fill fill_non_temporal = nullptr;  // null if the processor has no such store
  Copy copy_non_temporal = nullptr;
  Fill fill_string = nullptr;  // by the instructions of x86 for strings; null on other processors
  Copy copy_string = nullptr;
};

// Returns the kernels for this processor.
const StoreKernels& store_kernels() noexcept;

}  // namespace certile::bench
