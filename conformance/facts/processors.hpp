#pragma once
#include <sched.h>

#include <algorithm>

namespace certile::conformance {

// Returns the number of processors that this process may use, which is not that of the machine under taskset
// or in a container.
inline int processors_allowed() noexcept {
  cpu_set_t allowed;
  // The system has more processors than the set has room for if it refuses.
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return CPU_SETSIZE;
  return std::max(1, CPU_COUNT(&allowed));
}

}  // namespace certile::conformance
