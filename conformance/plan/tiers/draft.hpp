#pragma once
#include <cstdint>
#include <optional>

#include "reference/values/case.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {

// A draft of a case, in terms that fit every definition, which generators vary.  Scope turns it into the
// definition's own cases.
struct Draft {
  ElementType type = ElementType::f32;
  Shape shape = {};
  Shape repeats = {};                     // one per axis; if `axis` is set: tiles alone
  std::optional<std::int64_t> axis = {};  // onnx-tile-1 only, if this axis matters
  Fill fill = {};
  Placement placement = {};
  std::uint64_t variety =
      0;  // chooses the types of repeats and axis and how the axis is counted; 0: the plainest
};

// The shape of a call's data, and one repeat for each axis.
struct Form {
  Shape shape, repeats;
};

// Returns a fill that shows both a wrong place and a changed bit, because its elements differ and are not
// tame: random bits for half of the numbers, else special values or the index.
inline Fill revealing_fill(std::uint64_t number) {
  const std::uint64_t choice = mix(number) % 4;
  if (choice == 3) return {};
  return {choice == 2 ? Fill::Kind::special : Fill::Kind::bits, number % 1000};
}

}  // namespace certile::conformance
