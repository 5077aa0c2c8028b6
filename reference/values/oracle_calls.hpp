#pragma once
#include <atomic>
#include <cstdint>

namespace certile {

// The number of calls of either oracle by this process: 0 for a backend that computes its own answers
// (CT-SELF).
inline std::atomic<std::uint64_t> oracle_calls{0};

}  // namespace certile
