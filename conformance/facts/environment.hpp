#pragma once
#include <string>

namespace certile::conformance {

// The machine and the system of a run, in words, without a name of the machine.
struct Environment {
  std::string architecture, processor, kernel, libc;  // "x86_64", …, "Linux 6.1.0", "glibc 2.36"
  auto operator<=>(const Environment&) const = default;
};
Environment this_environment();

// Returns the name of the first processor; empty if the system does not give one.
std::string processor_name();

}  // namespace certile::conformance
