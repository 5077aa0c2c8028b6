#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "reference/values/call.hpp"

// The second oracle.  Nothing in this folder is taken from the first: where both are wrong in the same way,
// they must be so twice.
namespace certile::second {

__extension__ typedef __int128 Wide;

// One axis of the output, before it is multiplied.
struct Axis {
  std::int64_t dimension = 1;
  Wide repeat = 1;
};

// What a definition says about a call, in the second reading of its text.
struct Reading {
  enum class Says : std::uint8_t { answers, leaves_open, refuses } says = Says::refuses;
  std::vector<Axis> axes = {};  // of the output; none where the call is refused
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

// Returns what the definition of the call says about it, by the function of readings/NAME.cpp.
Reading read(const CallTensors& tensors);

// Returns the value of an integer or boolean element.
Wide integer(const Tensor& tensor, std::int64_t index);

// Returns the value of the only element, an f16, f32 or f64, where it is a whole number.  From 2^63 on the
// value is 2^63, which no dimension can reach.
std::optional<Wide> whole(const Tensor& tensor);

// Returns whether all strings of the tensor are UTF-8; a tensor without elements has no others.
bool is_utf8(const Tensor& strings);

}  // namespace certile::second
