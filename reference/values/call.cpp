#include "reference/values/call.hpp"

#include <utility>

#include "reference/values/fill.hpp"
#include "reference/values/tensor_text.hpp"

namespace certile {
namespace {

CallTensors around(const Case& question, Tensor data) {
  CallTensors tensors{question.definition, std::move(data), tensor_from_operand(question.repeats),
                      std::nullopt};
  if (question.axis) tensors.axis = tensor_from_operand(*question.axis);
  return tensors;
}

}  // namespace

Fill fill_of_thread(Fill fill, int thread) noexcept {
  if (thread == 0) return fill;
  if (fill.kind == Fill::Kind::index) fill.kind = Fill::Kind::bits;
  fill.seed += static_cast<std::uint64_t>(thread);
  return fill;
}

Call CallTensors::call() const noexcept {
  Call call{definition, data.view(), repeats.view(), std::nullopt};
  if (axis) call.axis = axis->view();
  return call;
}

CallTensors make_call(const Case& question, int thread) {
  const Operand& data = question.data;
  if (question.placement.shape_only) return make_shape_call(question);
  if (data.elements) return around(question, tensor_from_operand(data));
  return around(question, make_filled(question.definition, data.type, data.shape,
                                      fill_of_thread(question.fill, thread)));
}

CallTensors make_shape_call(const Case& question) {
  return around(question, Tensor::without_elements(question.data.type, question.data.shape));
}

}  // namespace certile
