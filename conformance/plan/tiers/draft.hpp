#pragma once
#include <cstdint>
#include <optional>

#include "reference/values/case.hpp"

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

}  // namespace certile::conformance
