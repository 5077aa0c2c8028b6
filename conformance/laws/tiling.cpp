#include "conformance/laws/tiling.hpp"
#include "reference/oracle/definition.hpp"

#include <utility>

#include "reference/values/scalar_value.hpp"

namespace certile::conformance {
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
