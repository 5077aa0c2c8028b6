#pragma once
#include "backends/kernel/tile_bytes.hpp"
#include "backends/plugin/certile_plugin.h"

namespace certile::kernel {

// Fills `out`, which has elements, by a plan whose run counts bits; the state is a ByteKernel.  The kernel
// moves whole-byte elements, and packed ones if every run of them begins and ends with a byte; other packed
// elements are those of tile_packed().
void move_elements(const void* kernel, const TilePlan& plan, const certile_tensor& data,
                   const certile_tensor& out) noexcept;

}  // namespace certile::kernel
