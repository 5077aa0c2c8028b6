#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/values/tensor.hpp"

namespace certile {

// What one element of repeats, tiles or axis says: a whole number, or that it is more than 2^63 - 1.
struct RepeatCount {
  std::int64_t value = 0;
  bool beyond = false;  // then `value` means nothing but that it is positive
  bool operator==(const RepeatCount&) const = default;
};

// Element `index` of a tensor of any integer type, by its sign.
RepeatCount integer_at(const TensorView& tensor, std::int64_t index) noexcept;

// Element `index` of a tensor of f16, f32 or f64, exactly.
double real_at(const TensorView& tensor, std::int64_t index) noexcept;

// Returns element `index` of a tensor of integers, booleans, f16, f32 or f64, where it is a whole number;
// nothing for a fraction, a NaN, an infinity, and for other types.
std::optional<RepeatCount> number_at(const TensorView& tensor, std::int64_t index) noexcept;

// Returns the elements of repeats, tiles or an axis, each as number_at().
std::vector<std::optional<RepeatCount>> numbers_in(const Tensor& operand);

// A double that has no fraction.  Below -2^63 the answer is the least there is.
RepeatCount whole_number(double number) noexcept;

}  // namespace certile
