#pragma once
#include <string_view>

#include "bench/run/bench_run.hpp"

namespace certile::bench {

std::string_view name(Temperature temperature) noexcept;  // "hot"
std::string_view name(Probe probe) noexcept;              // "fill-non-temporal"

// Returns the rounds of that temperature; null if there are none.
const Rounds* rounds_of(const Subject& subject, Temperature temperature) noexcept;
const Rounds* rounds_of(const Limit& limit, Temperature temperature) noexcept;

}  // namespace certile::bench
