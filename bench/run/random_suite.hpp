#pragma once
#include <cstdint>

#include "bench/run/suite.hpp"

namespace certile {

// Shapes that nobody tuned for, the same on every machine for a seed.  The bytes of the output are spread
// evenly over the logarithm from 64 bytes to 256 MiB; the width of an element evenly over those there are (1
// to 128 bits), its type evenly within the width; the rank evenly from 1 to 6.  The size is divided at random
// among the dimensions and the repeats, of which two in five are 1, so most of them are odd.  What is drawn
// twice is drawn again; what rounding or the definition makes impossible, too.
Suite random_suite(std::int64_t count, std::uint64_t seed);

}  // namespace certile
