#include <algorithm>
#include <cstddef>

#include "reference/second/reading.hpp"

namespace certile::second {

Reading read_openvino_tile_1(const Case& question);
Reading read_openvino_tile_1(const Case& question) {
  using enum ElementType;
  const ElementType counts = question.repeats.type();
  if ((!is_integer(counts) && counts != boolean) || question.repeats.shape().size() != 1) return refused();
  // The axes are aligned on the right: axis 0 of `backwards` is the output's last axis.
  const auto given = static_cast<std::size_t>(question.repeats.count());
  const Shape& shape = question.data.shape();
  std::vector<Axis> backwards(std::max(given, shape.size()));
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    backwards[axis].dimension = shape[shape.size() - 1 - axis];
  for (std::size_t axis = 0; axis < given; ++axis)
    backwards[axis].repeat =
        std::max<Wide>(0, integer(question.repeats, static_cast<std::int64_t>(given - 1 - axis)));
  std::vector<Axis> axes(backwards.rbegin(), backwards.rend());
  const bool is_complex = question.data.type() == c64 || question.data.type() == c128;
  // The text does not say whether complex numbers are supported, nor whether booleans are integers.
  return is_complex || counts == boolean ? left_open(std::move(axes)) : answered(std::move(axes));
}

}  // namespace certile::second
