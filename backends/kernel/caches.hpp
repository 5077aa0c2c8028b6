#pragma once
#include <cstdint>

namespace certile {

// The data caches that one core of this machine sees, in bytes; usual sizes where the machine does not say.
struct Caches {
  std::uint64_t level1 = 32 << 10;
  std::uint64_t level2 = 1 << 20;
  std::uint64_t level3 = 16 << 20;
};

// Asked of the machine once.
const Caches& caches() noexcept;

}  // namespace certile
