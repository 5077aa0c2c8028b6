#include "reference/values/tensor_text.hpp"

#include "reference/values/element_text.hpp"
#include "reference/values/literal_operand.hpp"

namespace certile {
namespace {

void append_element_of(std::string& text, const Tensor& tensor, std::int64_t index) {
  if (tensor.type() == ElementType::string) {
    text += string_to_text(tensor.string_element(index));
  } else {
    append_element(text, tensor.type(), tensor.element(index));
  }
}

}  // namespace

std::string to_string(const Tensor& tensor) {
  const std::int64_t count = tensor.bytes().empty() ? 0 : tensor.count();
  std::string text;
  if (count == 0 || tensor.shape().size() != 1) {
    append_type_and_shape(text, tensor.type(), tensor.shape());
  } else {
    text += name(tensor.type());
  }
  if (count == 0) return text;
  for (std::int64_t index = 0; index < count; ++index) {
    text += index == 0 ? '{' : ',';
    append_element_of(text, tensor, index);
  }
  text += '}';
  return text;
}

std::string element_to_string(const Tensor& tensor, std::int64_t index) {
  std::string text;
  append_element_of(text, tensor, index);
  return text;
}

std::string shape_to_string(ElementType type, const Shape& shape) {
  std::string text;
  append_type_and_shape(text, type, shape);
  return text;
}

Tensor tensor_from_operand(const Operand& operand) {
  const std::size_t count = operand.elements ? operand.elements->size() : 0;
  if (operand.type == ElementType::string) {
    std::vector<std::string> strings;
    for (std::size_t index = 0; index < count; ++index)
      strings.push_back(*string_from_text((*operand.elements)[index]));
    return Tensor::of_strings(operand.shape, strings);
  }
  Tensor tensor(operand.type, operand.shape);
  for (std::size_t index = 0; index < count; ++index)
    tensor.set_element(static_cast<std::int64_t>(index),
                       *element_from_text(operand.type, (*operand.elements)[index]));
  return tensor;
}

}  // namespace certile
