#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/values/tensor.hpp"

namespace certile {

// The value of one element of repeats, tiles or axis: a whole number, or only that it is more than 2^63 - 1.
struct RepeatCount {
  std::int64_t value = 0;
  bool beyond = false;  // then `value` is some positive number
  bool operator==(const RepeatCount&) const = default;
};

// Returns element `index` of a tensor of any integer type, signed or unsigned.
RepeatCount integer_at(const TensorView& tensor, std::int64_t index) noexcept;

// Returns element `index` of a tensor of f16, f32 or f64, exactly.
double real_at(const TensorView& tensor, std::int64_t index) noexcept;

// Returns element `index` of a tensor of integers, booleans, f16, f32 or f64, if it is a whole number;
// nothing for a fraction, a NaN, an infinity, and for other types.
std::optional<RepeatCount> number_at(const TensorView& tensor, std::int64_t index) noexcept;

// Returns the elements of repeats, tiles or an axis, each as number_at() does.
std::vector<std::optional<RepeatCount>> numbers_in(const Tensor& operand);

// Converts a double without a fraction.  Below -2^63 the answer is the lowest number.
RepeatCount whole_number(double number) noexcept;

}  // namespace certile
