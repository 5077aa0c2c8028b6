#pragma once
#include <cstdint>

#include "bench/run/suite.hpp"

namespace certile::bench {

// Returns shapes that no kernel was tuned for, the same on every machine for a seed.  The logarithm of the
// output's bytes is uniform from 64 bytes to 256 MiB, the element width uniform over the existing ones (1 to
// 128 bits), the type uniform within the width, and the rank uniform from 1 to 6.  The size is divided at
// random among the dimensions and the repeats, of which two in five are 1, so most of them are odd.
// Duplicates, and cases that rounding or the definition makes impossible, are drawn again.
Suite random_suite(std::int64_t count, std::uint64_t seed);

}  // namespace certile::bench
