#pragma once
#include <cstdint>

namespace certile {

// Scrambles 64 bits, one to one (SplitMix64's step), so that the results of neighbours look unrelated.
constexpr std::uint64_t mix(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111eb;
  return value ^ (value >> 31U);
}

}  // namespace certile
