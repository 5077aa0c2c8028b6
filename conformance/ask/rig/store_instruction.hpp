#pragma once
#include <cstdint>

namespace certile {

// Whether an instruction of 64-bit Arm writes to memory: by its encoding, for faults of which nobody says it.
// Atomic operations that read and write count as writes.  Safe in a signal handler.
bool is_aarch64_store(std::uint32_t instruction) noexcept;

}  // namespace certile
