#include "conformance/laws/tensor_algebra.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "reference/oracle/definition.hpp"
#include "reference/values/element_text.hpp"

namespace certile::conformance {

namespace {

// An element of one of the tensors that a new tensor is composed of.
struct Element {
  const Tensor* tensor;
  std::int64_t index;
};

Tensor put_together(ElementType type, const Shape& shape, const std::vector<Element>& elements) {
  if (type == ElementType::string) {
    std::vector<std::string> strings;
    strings.reserve(elements.size());
    for (const Element& element : elements)
      strings.emplace_back(element.tensor->string_element(element.index));
    return Tensor::of_strings(shape, strings);
  }
  Tensor result(type, shape);
  std::int64_t next = 0;
  for (const Element& element : elements)
    result.set_element(next++, element.tensor->element(element.index));
  return result;
}

// Returns the distance in elements between neighbours along each axis.  A tensor without elements has no
// neighbours, and the product of its other dimensions may not fit.
std::vector<std::int64_t> strides_of(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  if (std::ranges::find(shape, 0) != shape.end()) return strides;
  for (std::size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

// Moves to the next index in row-major order; returns false after the last.
bool advance(Shape& index, const Shape& shape) {
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (++index[axis] < shape[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

std::int64_t position(const Shape& index, const std::vector<std::int64_t>& strides) {
  std::int64_t sum = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    sum += index[axis] * strides[axis];
  return sum;
}

bool same_element(const Tensor& tensor, std::int64_t left, std::int64_t right) {
  if (tensor.type() == ElementType::string)
    return tensor.string_element(left) == tensor.string_element(right);
  return tensor.element(left) == tensor.element(right);
}

}  // namespace

Tensor reinterpreted(const Tensor& tensor, ElementType type) {
  Tensor result(type, tensor.shape());
  std::copy(tensor.bytes().begin(), tensor.bytes().end(), result.bytes().begin());
  return result;
}

Tensor permuted(const Tensor& tensor, const std::vector<std::size_t>& order) {
  const std::vector<std::int64_t> strides = strides_of(tensor.shape());
  Shape shape;
  std::vector<std::int64_t> moved;
  for (const std::size_t axis : order) {
    shape.push_back(tensor.shape()[axis]);
    moved.push_back(strides[axis]);
  }
  std::vector<Element> elements;
  Shape index(shape.size(), 0);
  for (bool more = tensor.count() > 0; more; more = advance(index, shape))
    elements.push_back({&tensor, position(index, moved)});
  return put_together(tensor.type(), shape, elements);
}

Tensor concatenated(const Tensor& first, const Tensor& second, std::size_t axis) {
  Shape shape = first.shape();
  shape[axis] += second.shape()[axis];
  const std::vector<std::int64_t> first_strides = strides_of(first.shape());
  const std::vector<std::int64_t> second_strides = strides_of(second.shape());
  std::vector<Element> elements;
  Shape index(shape.size(), 0);
  for (bool more = element_count(shape) != 0; more; more = advance(index, shape)) {
    if (index[axis] < first.shape()[axis]) {
      elements.push_back({&first, position(index, first_strides)});
      continue;
    }
    Shape behind = index;
    behind[axis] -= first.shape()[axis];
    elements.push_back({&second, position(behind, second_strides)});
  }
  return put_together(first.type(), shape, elements);
}

Tensor kronecker_of_ones(const Shape& times, const Tensor& tensor) {
  Shape shape = tensor.shape();
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    shape[axis] *= times[axis];
  const std::vector<std::int64_t> strides = strides_of(shape);
  std::vector<Element> elements(static_cast<std::size_t>(element_count(shape).value()));
  Shape block(shape.size(), 0);
  for (bool more_blocks = !elements.empty(); more_blocks; more_blocks = advance(block, times)) {
    Shape corner = block;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      corner[axis] *= tensor.shape()[axis];
    const std::int64_t start = position(corner, strides);
    Shape inside(shape.size(), 0);
    std::int64_t source = 0;
    for (bool more = true; more; more = advance(inside, tensor.shape()))
      elements[static_cast<std::size_t>(start + position(inside, strides))] = {&tensor, source++};
  }
  return put_together(tensor.type(), shape, elements);
}

std::optional<std::int64_t> first_break_of_period(const Tensor& tensor, std::size_t axis,
                                                  std::int64_t period) {
  const Shape& shape = tensor.shape();
  const std::int64_t distance = strides_of(shape)[axis] * period;
  Shape index(shape.size(), 0);
  std::int64_t here = 0;
  for (bool more = tensor.count() > 0; more; more = advance(index, shape), ++here)
    if (index[axis] + period < shape[axis] && !same_element(tensor, here, here + distance)) return here;
  return std::nullopt;
}

namespace {

// A limit, because a law makes a dozen calls and often keeps all of their answers.
constexpr std::size_t most_bytes = std::size_t{1} << 20;

std::optional<Shape> integers_of(const Tensor& operand) {
  Shape values;
  for (const auto& number : numbers_in(operand)) {
    if (!number || number->beyond) return std::nullopt;
    values.push_back(number->value);
  }
  return values;
}

std::optional<Tiling> along_one_axis(const Case& question) {
  const auto tiles = integers_of(question.repeats);
  const auto axis = question.axis ? integers_of(*question.axis) : std::nullopt;
  if (!tiles || !axis || tiles->size() != 1 || axis->size() != 1) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(question.data.shape().size());
  const std::int64_t counted = axis->front() < 0 ? axis->front() + rank : axis->front();
  if (counted < 0 || counted >= rank || tiles->front() < 0) return std::nullopt;
  Tiling tiling{question.data.shape(), Shape(question.data.shape().size(), 1)};
  tiling.times[static_cast<std::size_t>(counted)] = tiles->front();
  return tiling;
}

void lead_with_ones(Shape& shape, std::size_t length) {
  if (shape.size() < length) shape.insert(shape.begin(), length - shape.size(), 1);
}

}  // namespace

std::optional<Tiling> tiling_of(const Case& question) {
  if (has_axis(question.definition)) return along_one_axis(question);
  auto times = integers_of(question.repeats);
  if (!times || question.repeats.shape().size() != 1) return std::nullopt;
  for (const std::int64_t each : *times)
    if (each < 0) return std::nullopt;
  Tiling tiling{question.data.shape(), *std::move(times)};
  if (oracle::rules_of(question.definition).length == oracle::Length::any) {
    lead_with_ones(tiling.shape, tiling.times.size());
    lead_with_ones(tiling.times, tiling.shape.size());
  }
  if (tiling.shape.size() != tiling.times.size()) return std::nullopt;
  return tiling;
}

std::optional<Shape> tiled_shape(ElementType type, const Tiling& tiling) {
  Shape shape;
  for (std::size_t axis = 0; axis < tiling.shape.size(); ++axis) {
    const auto product = element_count(Shape{tiling.shape[axis], tiling.times[axis]});
    if (!product) return std::nullopt;
    shape.push_back(*product);
  }
  const auto fits = [&](const Shape& some) {
    const auto count = element_count(some);
    const auto size = count ? byte_size(type, *count) : std::nullopt;
    return size && *size <= most_bytes;
  };
  if (!fits(tiling.shape) || !fits(shape)) return std::nullopt;
  return shape;
}

}  // namespace certile::conformance
