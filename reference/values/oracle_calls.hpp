#pragma once
#include <cstdint>

namespace certile {

// Returns how often this process has called either oracle.  The number is 0 for a backend that computes its
// own answers (CT-SELF).
std::uint64_t oracle_calls() noexcept;
void count_oracle_call() noexcept;

}  // namespace certile
