#include "reference/values/scalar_value.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "reference/values/packed.hpp"

namespace certile {
namespace {

std::uint64_t pattern_at(const TensorView& tensor, std::int64_t index) noexcept {
  const auto at = static_cast<std::size_t>(index);
  if (is_packed(tensor.type)) return packed_element(tensor.type, tensor.bytes, at);
  const auto width = static_cast<std::size_t>(bits(tensor.type)) / 8;
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, tensor.bytes.data() + at * width, width);
  return pattern;
}

double half_to_double(std::uint64_t pattern) noexcept {
  const auto exponent = static_cast<int>((pattern >> 10) & 0x1f);
  const auto fraction = static_cast<double>(pattern & 0x3ff);
  double magnitude = 0;
  if (exponent == 0x1f)
    magnitude =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  return (pattern & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

RepeatCount integer_at(const TensorView& tensor, std::int64_t index) noexcept {
  const std::uint64_t pattern = pattern_at(tensor, index);
  if ((pattern >> 63) != 0 && is_unsigned_integer(tensor.type))
    return {std::numeric_limits<std::int64_t>::max(), true};
  if (is_unsigned_integer(tensor.type)) return {static_cast<std::int64_t>(pattern), false};
  const int unused = 64 - bits(tensor.type);  // copies the sign bit into all bits above
  return {static_cast<std::int64_t>(pattern << unused) >> unused, false};
}

double real_at(const TensorView& tensor, std::int64_t index) noexcept {
  const std::uint64_t pattern = pattern_at(tensor, index);
  switch (tensor.type) {
    case ElementType::f16:
      return half_to_double(pattern);
    case ElementType::f32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
    default:
      return std::bit_cast<double>(pattern);
  }
}

std::optional<RepeatCount> number_at(const TensorView& tensor, std::int64_t index) noexcept {
  using enum ElementType;
  if (is_integer(tensor.type) || tensor.type == boolean) return integer_at(tensor, index);
  if (tensor.type != f16 && tensor.type != f32 && tensor.type != f64) return std::nullopt;
  const double number = real_at(tensor, index);
  if (!std::isfinite(number) || number != std::trunc(number)) return std::nullopt;
  return whole_number(number);
}

std::vector<std::optional<RepeatCount>> numbers_in(const Tensor& operand) {
  const std::int64_t count = operand.count();
  std::vector<std::optional<RepeatCount>> numbers;
  numbers.reserve(static_cast<std::size_t>(count));
  for (std::int64_t index = 0; index < count; ++index)
    numbers.push_back(number_at(operand.view(), index));
  return numbers;
}

RepeatCount whole_number(double number) noexcept {
  constexpr double two_to_the_63 = 9223372036854775808.0;
  if (number >= two_to_the_63) return {std::numeric_limits<std::int64_t>::max(), true};
  if (number < -two_to_the_63) return {std::numeric_limits<std::int64_t>::min(), false};
  return {static_cast<std::int64_t>(number), false};
}

}  // namespace certile
