#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace certile::kernel {

// ramps[period][index] is index % period: which byte of a short pattern belongs at each place of a fill,
// ready to be loaded as the indices of a byte shuffle.  A vector of up to 64 bytes can be loaded from any
// index below the period.
constexpr std::size_t longest_ramp = 64;
using Ramps = std::array<std::array<std::uint8_t, 2 * longest_ramp>, longest_ramp + 1>;

constexpr Ramps make_ramps() {
  Ramps made{};
  for (std::size_t period = 1; period <= longest_ramp; ++period)
    for (std::size_t index = 0; index < 2 * longest_ramp; ++index)
      made[period][index] = static_cast<std::uint8_t>(index % period);
  return made;
}

alignas(128) inline constexpr Ramps ramps = make_ramps();

// quotients[size][index] is index / size: which block of that size each place of four vectors is in.
using Quotients = std::array<std::array<std::uint8_t, 4 * longest_ramp>, longest_ramp + 1>;

constexpr Quotients make_quotients() {
  Quotients made{};
  for (std::size_t size = 1; size <= longest_ramp; ++size)
    for (std::size_t index = 0; index < 4 * longest_ramp; ++index)
      made[size][index] = static_cast<std::uint8_t>(index / size);
  return made;
}

alignas(256) inline constexpr Quotients quotients = make_quotients();

}  // namespace certile::kernel
