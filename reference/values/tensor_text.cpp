#include "reference/values/tensor.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "reference/values/element_text.hpp"
#include "reference/values/literal_operand.hpp"

// Apart from tensor.cpp, because certile-host needs no text of tensors.

namespace certile {

std::string to_string(const Tensor& tensor) {
  std::string text;
  append_operand(text, tensor);
  return text;
}

std::string element_to_string(const Tensor& tensor, std::int64_t index) {
  if (tensor.type() == ElementType::string) return string_to_text(tensor.string_element(index));
  return element_to_text(tensor.type(), tensor.element(index));
}

std::string shape_to_string(ElementType type, const Shape& shape) {
  std::string text;
  append_type_and_shape(text, type, shape);
  return text;
}

Tensor tensor_spelled(ElementType type, Shape shape, std::span<const std::string> spellings) {
  if (type == ElementType::string) {
    std::vector<std::string> strings;
    for (const std::string& spelling : spellings)
      strings.push_back(*string_from_text(spelling));
    return Tensor::of_strings(std::move(shape), strings);
  }
  Tensor tensor(type, std::move(shape));
  for (std::size_t index = 0; index < spellings.size(); ++index)
    tensor.set_element(static_cast<std::int64_t>(index), *element_from_text(type, spellings[index]));
  return tensor;
}

Tensor tensor_of_numbers(ElementType type, Shape shape, std::span<const std::int64_t> numbers) {
  Tensor tensor(type, std::move(shape));
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    const auto bits = is_integer(type) ? Tensor::Bits{static_cast<std::uint64_t>(numbers[index]), 0}
                                       : *element_from_text(type, std::to_string(numbers[index]));
    tensor.set_element(static_cast<std::int64_t>(index), bits);
  }
  return tensor;
}

}  // namespace certile
