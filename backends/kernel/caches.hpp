#pragma once
#include <cstdint>

namespace certile::kernel {

// The data caches that one core of this machine sees, in bytes; usual sizes if the machine does not report
// them.
struct Caches {
  std::uint64_t level2 = 1 << 20;
  std::uint64_t level3 = 16 << 20;
};

// Returns the caches, which are looked up once.
const Caches& caches() noexcept;

}  // namespace certile::kernel
