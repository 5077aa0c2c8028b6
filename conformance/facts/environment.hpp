#pragma once
#include <sched.h>

#include <algorithm>
#include <string>

namespace certile::conformance {

// Returns the number of processors that this process may use, which is not that of the machine under taskset
// or in a container.
inline int processors_allowed() noexcept {
  cpu_set_t allowed;
  // The system has more processors than the set has room for if it refuses.
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return CPU_SETSIZE;
  return std::max(1, CPU_COUNT(&allowed));
}

// The name, in a list of loaded files, of executable memory that belongs to no file, which has no digest.
inline constexpr const char* code_without_file = "[executable memory]";

// The machine and the system of a run, in words, without a name of the machine.
struct Environment {
  std::string architecture, processor, kernel, libc;  // "x86_64", …, "Linux 6.1.0", "glibc 2.36"
  auto operator<=>(const Environment&) const = default;
};
Environment this_environment();

// Returns the name of the first processor; empty if the system does not give one.
std::string processor_name();

}  // namespace certile::conformance
