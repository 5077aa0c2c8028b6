#pragma once
#include <cstdint>

namespace certile::conformance {

// Returns the number of processes that calls in this process have started and left: its children, and those
// that its host adopted when their parents ended.  0 if the system does not show them.
std::int64_t left_processes() noexcept;

}  // namespace certile::conformance
