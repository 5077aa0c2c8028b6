#include <cstddef>

#include "reference/second/reading.hpp"

namespace certile::second {
namespace {

std::optional<Wide> number_in(const Tensor& tensor, ElementType data_type) {
  if (tensor.count() != 1) return std::nullopt;
  if (tensor.type() == ElementType::i64) return integer(tensor, 0);
  return tensor.type() == data_type ? whole(tensor) : std::nullopt;
}

}  // namespace

Reading read_onnx_tile_1(const Case& question);
Reading read_onnx_tile_1(const Case& question) {
  using enum ElementType;
  const ElementType type = question.data.type();
  if (type != f16 && type != f32 && type != f64) return refused();
  const auto tiles = number_in(question.repeats, type);
  const auto axis = number_in(*question.axis, type);
  if (!tiles || !axis || *tiles < 0) return refused();
  std::vector<Axis> axes;
  for (const std::int64_t dimension : question.data.shape())
    axes.push_back({dimension, 1});
  const Wide rank = static_cast<Wide>(axes.size());
  if (*axis < -rank || *axis >= rank) return refused();
  axes[static_cast<std::size_t>((*axis + rank) % rank)].repeat = *tiles;
  return answered(std::move(axes));
}

}  // namespace certile::second
