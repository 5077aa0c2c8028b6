#pragma once
#include <cstdint>

namespace certile::conformance {

// Returns true if an instruction of 64-bit Arm writes to memory.  Decodes the instruction, because the kernel
// may not report that.  Atomic operations that read and write count as writes.  Safe in a signal handler.
bool is_aarch64_store(std::uint32_t instruction) noexcept;

// Makes the rig in use explain each memory fault from now on, before the fault ends the process as usual.
void catch_memory_faults() noexcept;

}  // namespace certile::conformance
