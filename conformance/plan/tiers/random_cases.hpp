#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/values/fill.hpp"

namespace certile::conformance {

// A source of random numbers that are the same on every machine and with every compiler, unlike the
// standard's distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(mix(seed)) {}

  std::uint64_t next() noexcept { return mix(state_++); }
  // Returns a number from 0 to `bound` - 1.
  std::uint64_t below(std::uint64_t bound) noexcept { return next() % bound; }
  // Returns a number from `least` to `most`, both included.
  std::int64_t between(std::int64_t least, std::int64_t most) noexcept {
    return least + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most - least) + 1));
  }
  bool chance(unsigned percent) noexcept { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& from) noexcept {
    return from[static_cast<std::size_t>(below(from.size()))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace certile::conformance
