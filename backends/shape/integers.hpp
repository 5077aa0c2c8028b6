#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "backends/plugin/certile_plugin.h"

// C++17, and nothing but the C header: files of either standard include this.
namespace certile::backends {

// A whole number between -2^64 and 2^64: wide enough for every integer type, signed or not.
struct Integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
};

// Returns true for the element types that are integers: CERTILE_I4, CERTILE_U64, ...
bool is_integer_type(std::uint32_t element_type) noexcept;

// Reads element `index` of an operand, which has an integer type, f16, f32 or f64 and may be unaligned.
// Returns nothing for a fraction, a NaN or an infinity.  Limits floats beyond 2^64 to 2^64 - 1.
std::optional<Integer> read_integer(const certile_tensor& operand, std::size_t index) noexcept;

}  // namespace certile::backends
