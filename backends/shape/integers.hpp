#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "backends/plugin/certile_plugin.h"

// C++17, and nothing but the C header: files of either standard include this.
namespace certile {

// A whole number between -2^64 and 2^64: wide enough for every integer type, signed or not.
struct Integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
};

// True for the element types that are integers: CERTILE_I4, CERTILE_U64, ...
bool is_integer_type(std::uint32_t element_type) noexcept;

// Element `index` of an operand of an integer type, or of f16, f32, f64; it need not be aligned.  Nothing
// when the number is not whole: a fraction, a NaN, an infinity.  Floats beyond 2^64 are held down to 2^64
// - 1.
std::optional<Integer> read_integer(const certile_tensor& operand, std::size_t index) noexcept;

}  // namespace certile
