#pragma once
#include <optional>

#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// The definition and its inputs, as a backend sees them.  Valid during one call only.
// `data.bytes` is empty where only the shape is asked.
struct Call {
  DefinitionId definition;
  TensorView data;
  TensorView repeats;              // onnx-tile-1: tiles
  std::optional<TensorView> axis;  // onnx-tile-1 only
};

// A case made concrete: the tensors that a Call looks at.
struct CallTensors {
  DefinitionId definition;
  Tensor data;
  Tensor repeats;
  std::optional<Tensor> axis;

  Call call() const noexcept;
};

// Returns how the data of one of several concurrent calls are filled: `thread` is added to the seed, and
// fill=index becomes fill=bits for every thread but the first.
Fill fill_of_thread(Fill fill, int thread) noexcept;

// Makes the tensors.  With `placement.shape_only` the data has no elements.  Concurrent calls of one case
// have data of their own, see fill_of_thread.
CallTensors make_call(const Case& question, int thread = 0);

// The same without the data's elements, whatever the placement says: for questions about the shape alone.
CallTensors make_shape_call(const Case& question);

}  // namespace certile
