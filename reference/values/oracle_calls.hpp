#pragma once
#include <cstdint>

namespace certile {

// Returns how often this process has asked either oracle.  A backend that computes for itself leaves it at 0
// (CT-SELF).
std::uint64_t oracle_calls() noexcept;
void count_oracle_call() noexcept;

}  // namespace certile
