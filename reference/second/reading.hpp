#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "reference/values/case.hpp"

// The second oracle.  Nothing in this folder is taken from the first, so an error of both is two errors.
namespace certile::second {

__extension__ typedef __int128 Wide;

// One axis of the output: its dimension before the multiplication, and its repeat.
struct Axis {
  std::int64_t dimension = 1;
  Wide repeat = 1;
};

// A definition's answer to a call, by the second reading of its text.
struct Reading {
  enum class Says : std::uint8_t { answers, leaves_open, refuses } says = Says::refuses;
  std::vector<Axis> axes = {};  // of the output; empty if the call is refused
};

inline Reading refused() {
  return {};
}
inline Reading answered(std::vector<Axis> axes) {
  return {Reading::Says::answers, std::move(axes)};
}
inline Reading left_open(std::vector<Axis> axes) {
  return {Reading::Says::leaves_open, std::move(axes)};
}

// Returns the answer of the case's definition, by the function in readings/NAME.cpp.
Reading read(const Case& question);

// Returns the value of an integer or boolean element.
Wide integer(const Tensor& tensor, std::int64_t index);

// Returns the value of the only element, an f16, f32 or f64, or nothing if the value is not a whole number.
// Values above 2^63 are returned as 2^63, which is larger than any dimension.
std::optional<Wide> whole(const Tensor& tensor);

// Returns true if all strings of the tensor are UTF-8, also if the tensor has no elements.
bool is_utf8(const Tensor& strings);

}  // namespace certile::second
