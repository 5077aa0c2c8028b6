#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/shape/tile_plan.hpp"

// The fast kernel: tilings of whole bytes, compiled once for each instruction set.  docs/performance.md says
// why each path exists and what it is worth.
namespace certile::kernel {

using backends::TilePlan;

// The kind of stores.  Ordinary stores leave the output in the caches.  Streaming stores bypass the caches,
// which is faster if the output is too large to stay there, and several times slower otherwise.
enum class Stores : std::uint8_t { ordinary, streaming };

// Chooses the stores for an output of `output_bytes`, made of `data_bytes` by `threads`, from the sizes of
// this machine's caches.  CERTILE_STREAMING_FROM=BYTES in the environment sets the smallest output that is
// streamed instead.
Stores stores_for(std::uint64_t output_bytes, std::uint64_t data_bytes, int threads) noexcept;

// Writes the bytes [begin, end) of the plan's output, whose first byte is at `to`, and nothing else.  The
// plan's run is whole bytes.  Ranges may be written in any order, and by several threads at once; streaming
// is efficient where ranges meet at addresses that are multiples of 64.  Allocates nothing.
using TileRange = void (*)(const TilePlan& plan, const std::byte* from, std::byte* to, std::uint64_t begin,
                           std::uint64_t end, Stores stores) noexcept;

// Writes all of the plan's output, with the stores and in the order that suit it best.
using TileBytes = void (*)(const TilePlan& plan, const std::byte* from, std::byte* to) noexcept;

// The same with streaming stores.  Data of more than `scatter_from` bytes is read once, in pieces, each of
// which goes to all of its places at once; so is a made period that is too long to keep.
using StreamBytes = void (*)(const TilePlan& plan, const std::byte* from, std::byte* to,
                             std::uint64_t scatter_from) noexcept;

// Makes one byte of each element, of `size` bytes of elements of 1, 2 or 4 bits, in place; or packs `size`
// such bytes, which have no other bits.  Elements of 8 bits are left as they are.  Touches up to 64 bytes
// behind.
using Elements = void (*)(std::byte* elements, std::size_t size, unsigned bits, bool high_bit_first) noexcept;

// A kernel: the functions of one instruction set.
struct ByteKernel {
  const char* name;  // of its backend: "simd-avx2"
  TileBytes tile;
  TileRange tile_range;
  StreamBytes stream;  // what `tile` calls if stores_for chooses streaming
  Elements unpack, pack;
  bool (*supported)();  // true when this processor has the instructions
};

// Returns the kernels of this build, the fastest first.
std::span<const ByteKernel> byte_kernels() noexcept;

// Returns the first kernel that this processor supports; null if there is none.  Cheap after the first call.
const ByteKernel* best_byte_kernel() noexcept;

}  // namespace certile::kernel
