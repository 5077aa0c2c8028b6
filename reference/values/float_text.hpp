#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/values/element_type.hpp"

namespace certile {

// How the finite values of a float of 16 bits or fewer are encoded.  Each is a value of f32 too.
struct NarrowFloat {
  int width;
  int mantissa_bits;
  int bias;
  bool is_signed;                // f8e8m0 alone is not; its patterns are powers of two and nothing else
  std::uint32_t largest_finite;  // the pattern; those above it, sign aside, are infinities and NaNs
};

// f16 bf16 f8e4m3 (the form without infinities) f8e5m2 f8e8m0 f4e2m1; nothing for other types.
std::optional<NarrowFloat> narrow_float(ElementType type) noexcept;

bool is_finite(const NarrowFloat& format, std::uint32_t pattern) noexcept;

// The value of a finite pattern.
float narrow_value(const NarrowFloat& format, std::uint32_t pattern) noexcept;

// True for -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
bool is_decimal(std::string_view text) noexcept;

// The value of a decimal, correctly rounded; nothing where that is infinite, or zero though the decimal is
// not.
std::optional<float> float_from_decimal(std::string_view decimal) noexcept;
std::optional<double> double_from_decimal(std::string_view decimal) noexcept;

// Appends the shortest decimal that reads back, its exponent without + and leading zeros.
void append_decimal(std::string& text, float value);
void append_decimal(std::string& text, double value);

}  // namespace certile
