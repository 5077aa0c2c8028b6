#include "backends/shape/integers.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace certile::backends {
namespace {

// Returns the low `width` bits of an element, whole bytes or packed: packed elements are one stream of bits.
std::uint64_t bits_at(const certile_tensor& operand, std::size_t index) noexcept {
  const auto* bytes = static_cast<const unsigned char*>(operand.data);
  const std::size_t width = operand.element_bits;
  std::uint64_t value = 0;
  if (width % 8 == 0) {
    std::memcpy(&value, bytes + index * (width / 8), width / 8);
    return value;
  }
  for (std::size_t bit = 0; bit < width; ++bit) {
    const std::size_t position = index * width + bit;
    // The stream fills a byte from the low bit up; u1 alone fills it from the high bit down.
    const std::size_t in_byte = operand.element_type == CERTILE_U1 ? 7 - position % 8 : position % 8;
    value |= std::uint64_t{(bytes[position / 8] >> in_byte) & 1U} << bit;
  }
  return value;
}

Integer from_signed(std::uint64_t bits, unsigned width) noexcept {
  if (((bits >> (width - 1)) & 1) == 0) return {false, bits};
  const std::uint64_t ones_above = width == 64 ? 0 : ~std::uint64_t{0} << width;
  return {true, ~(bits | ones_above) + 1};
}

std::optional<Integer> from_real(double value) noexcept {
  if (!std::isfinite(value) || value != std::trunc(value)) return std::nullopt;
  constexpr double beyond = 18446744073709551616.0;  // 2^64
  const double magnitude = std::fabs(value);
  if (magnitude >= beyond) return Integer{value < 0, std::numeric_limits<std::uint64_t>::max()};
  return Integer{value < 0, static_cast<std::uint64_t>(magnitude)};
}

// Returns the value of an f16, which is exact as a double.
double half_to_double(std::uint64_t bits) noexcept {
  const auto exponent = static_cast<int>((bits >> 10) & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  const double sign = (bits >> 15) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

template <class Real>
double real_at(const certile_tensor& operand, std::size_t index) noexcept {
  Real value;
  std::memcpy(&value, static_cast<const unsigned char*>(operand.data) + index * sizeof value, sizeof value);
  return static_cast<double>(value);
}

bool is_signed_type(std::uint32_t element_type) noexcept {
  return element_type >= CERTILE_I4 && element_type <= CERTILE_I64;
}

}  // namespace

bool is_integer_type(std::uint32_t element_type) noexcept {
  return is_signed_type(element_type) || (element_type >= CERTILE_U1 && element_type <= CERTILE_U64);
}

std::optional<Integer> read_integer(const certile_tensor& operand, std::size_t index) noexcept {
  if (operand.element_type == CERTILE_F64) return from_real(real_at<double>(operand, index));
  if (operand.element_type == CERTILE_F32) return from_real(real_at<float>(operand, index));
  const std::uint64_t bits = bits_at(operand, index);
  if (operand.element_type == CERTILE_F16) return from_real(half_to_double(bits));
  if (is_signed_type(operand.element_type)) return from_signed(bits, operand.element_bits);
  return Integer{false, bits};
}

}  // namespace certile::backends
