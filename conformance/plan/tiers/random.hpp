#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace certile {

// Returns a fixed scramble of 64 bits (splitmix64), so that numbers vary without repeating a pattern of the
// loops around them.
constexpr std::uint64_t mix(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

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

}  // namespace certile
