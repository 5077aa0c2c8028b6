#pragma once
#include "backends/kernel/tile_bytes.hpp"
#include "backends/plugin/certile_plugin.h"

namespace certile::kernel {

// Fills `out`, which has elements, by a plan whose run counts bits; the state is a ByteKernel.  The kernel
// moves whole-byte elements, and packed ones if every run of them begins and ends with a byte; other packed
// elements are those of tile_packed().
void move_elements(const void* kernel, const TilePlan& plan, const certile_tensor& data,
                   const certile_tensor& out) noexcept;

// The bytes [begin, end) of an output.
struct Range {
  std::uint64_t begin, end;
};

// Fills that part of `out` likewise.  Parts may be written in any order, and by several threads at once;
// streaming is efficient where they meet at addresses that are multiples of 64.
void move_range(const ByteKernel& kernel, const TilePlan& plan, const certile_tensor& data,
                const certile_tensor& out, Range range, Stores stores) noexcept;

}  // namespace certile::kernel
