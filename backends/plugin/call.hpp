#pragma once
#include <optional>

#include "reference/values/case.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {

// The definition and its inputs, as a backend sees them.  Valid during one call only.
// `data.bytes` is empty if only the shape is asked for.
struct Call {
  DefinitionId definition;
  TensorView data;
  TensorView repeats;              // onnx-tile-1: tiles
  std::optional<TensorView> axis;  // onnx-tile-1 only
};

// Returns the call of a case with this data.  It points into both.
inline Call call_of(const Case& question, const Tensor& data) {
  Call call{question.definition, data.view(), question.repeats.view(), std::nullopt};
  if (question.axis) call.axis = question.axis->view();
  return call;
}

}  // namespace certile::backends
